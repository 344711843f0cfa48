-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "strict_queries" BOOLEAN NOT NULL DEFAULT false;

-- Businesses that are there go on as they were promised; new ones are strict.
ALTER TABLE "businesses" ALTER COLUMN "strict_queries" SET DEFAULT true;
