-- CreateEnum
CREATE TYPE "SwapState" AS ENUM ('requested', 'taken', 'done', 'refused', 'canceled', 'expired', 'void');

-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "approves_swaps" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "shift_swaps" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "event_id" INTEGER NOT NULL,
    "work_shift_id" INTEGER NOT NULL,
    "other_shift_id" INTEGER,
    "from_user_id" INTEGER NOT NULL,
    "to_user_id" INTEGER,
    "state" "SwapState" NOT NULL DEFAULT 'requested',
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "message" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "shift_swaps_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE INDEX "shift_swaps_business_id_event_id_id_idx" ON "shift_swaps"("business_id", "event_id", "id");

-- CreateIndex
CREATE INDEX "shift_swaps_business_id_from_user_id_id_idx" ON "shift_swaps"("business_id", "from_user_id", "id");

-- CreateIndex
CREATE INDEX "shift_swaps_business_id_to_user_id_id_idx" ON "shift_swaps"("business_id", "to_user_id", "id");

-- CreateIndex
CREATE INDEX "shift_swaps_business_id_other_shift_id_idx" ON "shift_swaps"("business_id", "other_shift_id");

-- CreateIndex
CREATE INDEX "shift_swaps_business_id_work_shift_id_idx" ON "shift_swaps"("business_id", "work_shift_id");

-- CreateIndex
CREATE UNIQUE INDEX "shift_swaps_business_id_uuid_key" ON "shift_swaps"("business_id", "uuid");

-- AddForeignKey
ALTER TABLE "shift_swaps" ADD CONSTRAINT "shift_swaps_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "shift_swaps" ADD CONSTRAINT "shift_swaps_business_id_event_id_fkey" FOREIGN KEY ("business_id", "event_id") REFERENCES "events"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "shift_swaps" ADD CONSTRAINT "shift_swaps_business_id_work_shift_id_fkey" FOREIGN KEY ("business_id", "work_shift_id") REFERENCES "work_shifts"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "shift_swaps" ADD CONSTRAINT "shift_swaps_business_id_other_shift_id_fkey" FOREIGN KEY ("business_id", "other_shift_id") REFERENCES "work_shifts"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "shift_swaps" ADD CONSTRAINT "shift_swaps_business_id_from_user_id_fkey" FOREIGN KEY ("business_id", "from_user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "shift_swaps" ADD CONSTRAINT "shift_swaps_business_id_to_user_id_fkey" FOREIGN KEY ("business_id", "to_user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- As src/db/registry.ts asks for it.
ALTER TABLE "shift_swaps" ADD CONSTRAINT "shift_swaps_message_check" CHECK (char_length("message") BETWEEN 1 AND 1000);
ALTER TABLE "shift_swaps" ADD CONSTRAINT "shift_swaps_reason_check" CHECK (char_length("reason") BETWEEN 1 AND 1000);
CREATE TRIGGER count_version BEFORE UPDATE ON "shift_swaps" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON "shift_swaps" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON "shift_swaps" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id))) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON "shift_swaps" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE TRIGGER log_insert AFTER INSERT ON "shift_swaps" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "shift_swaps" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "shift_swaps" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
ALTER TABLE "shift_swaps" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);

ALTER TABLE "shift_swaps"
  ADD CONSTRAINT "shift_swaps_to_user_id_check" CHECK ("to_user_id" IS NOT NULL OR ("other_shift_id" IS NULL AND "state" NOT IN ('taken', 'done'))),
  ADD CONSTRAINT "shift_swaps_from_user_id_check" CHECK ("from_user_id" <> "to_user_id"),
  ADD CONSTRAINT "shift_swaps_other_shift_id_check" CHECK ("other_shift_id" <> "work_shift_id");

-- A shift has one open swap at a time.
CREATE UNIQUE INDEX "shift_swaps_open_key" ON "shift_swaps"("business_id", "work_shift_id") WHERE "state" IN ('requested', 'taken');

-- What ends by itself, and what is old: jobs look for both.
CREATE INDEX "shift_swaps_expires_at_idx" ON "shift_swaps"("expires_at");
