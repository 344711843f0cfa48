-- CreateEnum
CREATE TYPE "MailKind" AS ENUM ('offer', 'reminder', 'change', 'invitation', 'password');

-- CreateEnum
CREATE TYPE "MailStatus" AS ENUM ('pending', 'sent', 'failed', 'dropped');

-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "reminder_hours" INTEGER[] DEFAULT ARRAY[24]::INTEGER[];

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "mail_fault" TEXT,
ADD COLUMN     "mail_off" "MailKind"[] DEFAULT ARRAY[]::"MailKind"[];

-- CreateTable
CREATE TABLE "mails" (
    "business_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" INTEGER NOT NULL,
    "kind" "MailKind" NOT NULL,
    "subject_id" INTEGER,
    "occasion" TEXT,
    "secret_hash" BYTEA,
    "used_at" TIMESTAMPTZ(3),
    "status" "MailStatus" NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "mail_cursors" (
    "business_id" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "change_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_cursors_pkey" PRIMARY KEY ("business_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mails_secret_hash_key" ON "mails"("secret_hash");

-- CreateIndex
CREATE INDEX "mails_business_id_created_at_idx" ON "mails"("business_id", "created_at");

-- CreateIndex
CREATE INDEX "mails_due_at_idx" ON "mails"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "mails_business_id_user_id_kind_subject_id_occasion_key" ON "mails"("business_id", "user_id", "kind", "subject_id", "occasion");

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_cursors" ADD CONSTRAINT "mail_cursors_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- As src/db/registry.ts asks for it.
ALTER TABLE "mails" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);
ALTER TABLE "mail_cursors" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);

ALTER TABLE "businesses" ADD CONSTRAINT "businesses_reminder_hours_check"
  CHECK (cardinality("reminder_hours") <= 5 AND 1 <= ALL ("reminder_hours") AND 336 >= ALL ("reminder_hours"));
ALTER TABLE "mails" ADD CONSTRAINT "mails_attempt_count_check" CHECK ("attempt_count" >= 0);
ALTER TABLE "mails" ADD CONSTRAINT "mails_secret_hash_check" CHECK (length("secret_hash") = 32);
