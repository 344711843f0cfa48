-- AlterTable
ALTER TABLE "work_shifts" ADD COLUMN     "override_reason" TEXT;

-- CreateIndex
CREATE INDEX "events_business_id_title_id_idx" ON "events"("business_id", "title", "id");

-- CreateIndex
CREATE INDEX "events_business_id_created_at_id_idx" ON "events"("business_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "events_business_id_modified_at_id_idx" ON "events"("business_id", "modified_at", "id");

-- Checks
ALTER TABLE "work_shifts" ADD CONSTRAINT "work_shifts_override_reason_check"
  CHECK (char_length("override_reason") BETWEEN 1 AND 1000);
