-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "sent_at" TIMESTAMPTZ(3),
ADD COLUMN     "told_hash" BYTEA;

-- AlterTable
ALTER TABLE "positions" ADD COLUMN     "modified_at" TIMESTAMPTZ(3);
