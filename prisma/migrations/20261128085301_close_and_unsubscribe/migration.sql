-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "closed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "email_key" TEXT,
ADD COLUMN     "off_token" UUID;
