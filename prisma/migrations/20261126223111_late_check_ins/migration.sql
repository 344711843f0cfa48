-- AlterTable
ALTER TABLE "attendance" ADD COLUMN     "late" BOOLEAN NOT NULL DEFAULT false;
