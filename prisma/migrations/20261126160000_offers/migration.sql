-- CreateEnum
CREATE TYPE "OfferMode" AS ENUM ('first_come', 'approval');

-- CreateEnum
CREATE TYPE "OfferState" AS ENUM ('sent', 'accepted', 'waitlisted', 'requested', 'declined', 'expired', 'withdrawn', 'filled', 'refused', 'ended');

-- CreateEnum
CREATE TYPE "CallTimeClaims" AS ENUM ('none', 'approval', 'open');

-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "waitlist_auto_hours" INTEGER NOT NULL DEFAULT 24;

-- AlterTable
ALTER TABLE "call_times" ADD COLUMN     "claims" "CallTimeClaims" NOT NULL DEFAULT 'none';

-- CreateTable
CREATE TABLE "offers" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "event_id" INTEGER NOT NULL,
    "call_time_id" INTEGER NOT NULL,
    "mode" "OfferMode" NOT NULL,
    "is_claim" BOOLEAN NOT NULL DEFAULT false,
    "message" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "wave_size" INTEGER,
    "wave_minutes" INTEGER,
    "next_wave_at" TIMESTAMPTZ(3),
    "waiting_user_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "offers_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "offer_recipients" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "offer_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "call_time_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "state" "OfferState" NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "responded_at" TIMESTAMPTZ(3),
    "waitlisted_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "work_shift_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "offer_recipients_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE INDEX "offers_business_id_event_id_call_time_id_idx" ON "offers"("business_id", "event_id", "call_time_id");

-- CreateIndex
CREATE UNIQUE INDEX "offers_business_id_uuid_key" ON "offers"("business_id", "uuid");

-- CreateIndex
CREATE INDEX "offer_recipients_business_id_offer_id_id_idx" ON "offer_recipients"("business_id", "offer_id", "id");

-- CreateIndex
CREATE INDEX "offer_recipients_business_id_user_id_id_idx" ON "offer_recipients"("business_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "offer_recipients_business_id_work_shift_id_idx" ON "offer_recipients"("business_id", "work_shift_id");

-- CreateIndex
CREATE INDEX "offer_recipients_business_id_event_id_state_call_time_id_idx" ON "offer_recipients"("business_id", "event_id", "state", "call_time_id");

-- CreateIndex
CREATE INDEX "offer_recipients_business_id_call_time_id_idx" ON "offer_recipients"("business_id", "call_time_id");

-- CreateIndex
CREATE UNIQUE INDEX "offer_recipients_business_id_uuid_key" ON "offer_recipients"("business_id", "uuid");

-- AddForeignKey
ALTER TABLE "offers" ADD CONSTRAINT "offers_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "offers" ADD CONSTRAINT "offers_business_id_event_id_call_time_id_fkey" FOREIGN KEY ("business_id", "event_id", "call_time_id") REFERENCES "call_times"("business_id", "event_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "offers" ADD CONSTRAINT "offers_business_id_created_by_id_fkey" FOREIGN KEY ("business_id", "created_by_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "offer_recipients" ADD CONSTRAINT "offer_recipients_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "offer_recipients" ADD CONSTRAINT "offer_recipients_business_id_offer_id_fkey" FOREIGN KEY ("business_id", "offer_id") REFERENCES "offers"("business_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "offer_recipients" ADD CONSTRAINT "offer_recipients_business_id_event_id_call_time_id_fkey" FOREIGN KEY ("business_id", "event_id", "call_time_id") REFERENCES "call_times"("business_id", "event_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "offer_recipients" ADD CONSTRAINT "offer_recipients_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "offer_recipients" ADD CONSTRAINT "offer_recipients_business_id_work_shift_id_fkey" FOREIGN KEY ("business_id", "work_shift_id") REFERENCES "work_shifts"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- As src/db/registry.ts asks for it.
ALTER TABLE "offers" ADD CONSTRAINT "offers_message_check" CHECK (char_length("message") BETWEEN 1 AND 1000);
ALTER TABLE "offer_recipients" ADD CONSTRAINT "offer_recipients_reason_check" CHECK (char_length("reason") BETWEEN 1 AND 1000);
CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON "offers" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON "offers" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id))) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON "offers" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE TRIGGER count_version BEFORE UPDATE ON "offer_recipients" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON "offer_recipients" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON "offer_recipients" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id))) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON "offer_recipients" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE TRIGGER log_insert AFTER INSERT ON "offer_recipients" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "offer_recipients" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "offer_recipients" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
ALTER TABLE "offers" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);
ALTER TABLE "offer_recipients" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);

-- Businesses: 0 always books, and a year or more always asks.
ALTER TABLE "businesses" ADD CONSTRAINT "businesses_waitlist_auto_hours_check" CHECK ("waitlist_auto_hours" BETWEEN 0 AND 8784);

ALTER TABLE "offers"
  ADD CONSTRAINT "offers_expires_at_check" CHECK ("expires_at" > "created_at"),
  ADD CONSTRAINT "offers_wave_size_check" CHECK ("wave_size" BETWEEN 1 AND 500),
  ADD CONSTRAINT "offers_wave_minutes_check" CHECK ("wave_minutes" BETWEEN 1 AND 10080 AND ("wave_minutes" IS NULL) = ("wave_size" IS NULL)),
  ADD CONSTRAINT "offers_next_wave_at_check" CHECK ("next_wave_at" IS NULL OR "wave_size" IS NOT NULL),
  ADD CONSTRAINT "offers_withdrawn_at_check" CHECK ("withdrawn_at" IS NULL OR "next_wave_at" IS NULL);

ALTER TABLE "offer_recipients"
  ADD CONSTRAINT "offer_recipients_waitlisted_at_check" CHECK ("waitlisted_at" IS NOT NULL OR "state" <> 'waitlisted'),
  ADD CONSTRAINT "offer_recipients_work_shift_id_check" CHECK (("work_shift_id" IS NOT NULL) = ("state" IN ('accepted', 'ended')));

-- Nobody is asked twice at a time about one call time.
CREATE UNIQUE INDEX "offer_recipients_open_key" ON "offer_recipients"("business_id", "call_time_id", "user_id")
  WHERE "state" IN ('sent', 'waitlisted', 'requested');

-- What ends by itself, and what asks others: the job of offers looks for both.
CREATE INDEX "offer_recipients_expires_at_idx" ON "offer_recipients"("expires_at") WHERE "state" IN ('sent', 'waitlisted', 'requested');
CREATE INDEX "offers_next_wave_at_idx" ON "offers"("next_wave_at") WHERE "next_wave_at" IS NOT NULL;
