-- CreateEnum
CREATE TYPE "AttendanceSource" AS ENUM ('admin', 'code', 'kiosk', 'api');

-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "overtime_after_hours" INTEGER,
ADD COLUMN     "printed_codes" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "rounding_minutes" INTEGER,
ADD COLUMN     "rounds_in_favour" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "screens" ADD COLUMN     "check_in_event_uuid" UUID;

-- CreateTable
CREATE TABLE "attendance" (
    "business_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "uuid" UUID NOT NULL,
    "event_id" INTEGER NOT NULL,
    "checked_in_at" TIMESTAMPTZ(3),
    "checked_out_at" TIMESTAMPTZ(3),
    "break_minutes" INTEGER NOT NULL DEFAULT 0,
    "source" "AttendanceSource",
    "paid_early" BOOLEAN NOT NULL DEFAULT false,
    "auto_closed" BOOLEAN NOT NULL DEFAULT false,
    "no_show" BOOLEAN NOT NULL DEFAULT false,
    "note" TEXT,
    "change_reason" TEXT,
    "approved_at" TIMESTAMPTZ(3),
    "approved_by_id" INTEGER,
    "approved_rate" DECIMAL(12,2),
    "approved_unit" "PayUnit",
    "approved_minutes" INTEGER,
    "approved_amount" DECIMAL(14,2),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "attendance_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "attendance_attempts" (
    "business_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "wrong" INTEGER NOT NULL,

    CONSTRAINT "attendance_attempts_pkey" PRIMARY KEY ("business_id","event_id","user_id")
);

-- CreateIndex
CREATE INDEX "attendance_business_id_event_id_idx" ON "attendance"("business_id", "event_id");

-- CreateIndex
CREATE UNIQUE INDEX "attendance_business_id_uuid_key" ON "attendance"("business_id", "uuid");

-- AddForeignKey
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_business_id_event_id_fkey" FOREIGN KEY ("business_id", "event_id") REFERENCES "events"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_business_id_id_fkey" FOREIGN KEY ("business_id", "id") REFERENCES "work_shifts"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_business_id_approved_by_id_fkey" FOREIGN KEY ("business_id", "approved_by_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "attendance_attempts" ADD CONSTRAINT "attendance_attempts_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "attendance_attempts" ADD CONSTRAINT "attendance_attempts_business_id_event_id_fkey" FOREIGN KEY ("business_id", "event_id") REFERENCES "events"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "attendance_attempts" ADD CONSTRAINT "attendance_attempts_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Whoever has come, or has not, is on record as the person of the shift; an approved shift keeps its place and times as well.
CREATE FUNCTION keep_attended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM attendance a
              WHERE a.business_id = OLD.business_id AND a.id = OLD.id
                AND (a.approved_at IS NOT NULL
                     OR ((a.checked_in_at IS NOT NULL OR a.no_show)
                         AND (NEW.user_id <> OLD.user_id OR NEW.event_id <> OLD.event_id OR NEW.status <> OLD.status)))) THEN
    RAISE EXCEPTION 'a row that was attended violates check constraint "work_shifts_attended"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'work_shifts_attended';
  END IF;
  RETURN NEW;
END
$$;

-- As src/db/registry.ts asks for it.
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_note_check" CHECK (char_length("note") BETWEEN 1 AND 1000);
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_change_reason_check" CHECK (char_length("change_reason") BETWEEN 1 AND 1000);
CREATE TRIGGER keep_attended BEFORE UPDATE ON "work_shifts" FOR EACH ROW WHEN (OLD.user_id <> NEW.user_id OR OLD.event_id <> NEW.event_id OR OLD.status <> NEW.status OR OLD.position_id <> NEW.position_id OR OLD.call_time_id IS DISTINCT FROM NEW.call_time_id OR OLD.start_local IS DISTINCT FROM NEW.start_local OR OLD.end_local IS DISTINCT FROM NEW.end_local) EXECUTE FUNCTION keep_attended();
CREATE TRIGGER count_version BEFORE UPDATE ON "attendance" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON "attendance" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON "attendance" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id))) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON "attendance" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE TRIGGER log_insert AFTER INSERT ON "attendance" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "attendance" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "attendance" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
ALTER TABLE "attendance" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);
ALTER TABLE "attendance_attempts" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);

ALTER TABLE "businesses"
  ADD CONSTRAINT "businesses_rounding_minutes_check" CHECK ("rounding_minutes" IN (5, 6, 10, 15)),
  ADD CONSTRAINT "businesses_overtime_after_hours_check" CHECK ("overtime_after_hours" BETWEEN 0 AND 168);

ALTER TABLE "attendance"
  ADD CONSTRAINT "attendance_break_minutes_check" CHECK ("break_minutes" >= 0),
  ADD CONSTRAINT "attendance_checked_out_at_check" CHECK ("checked_out_at" IS NULL OR coalesce("checked_out_at" > "checked_in_at", FALSE)),
  ADD CONSTRAINT "attendance_source_check" CHECK (("source" IS NULL) = ("checked_in_at" IS NULL)),
  ADD CONSTRAINT "attendance_auto_closed_check" CHECK (NOT "auto_closed" OR "checked_out_at" IS NOT NULL),
  ADD CONSTRAINT "attendance_no_show_check" CHECK (NOT "no_show" OR "checked_in_at" IS NULL),
  ADD CONSTRAINT "attendance_approved_at_check" CHECK (
    num_nonnulls("approved_at", "approved_rate", "approved_unit", "approved_minutes", "approved_amount") IN (0, 5)
    AND ("approved_at" IS NULL OR "no_show" OR "checked_out_at" IS NOT NULL) AND ("approved_by_id" IS NULL OR "approved_at" IS NOT NULL)),
  ADD CONSTRAINT "attendance_approved_minutes_check" CHECK ("approved_minutes" >= 0),
  ADD CONSTRAINT "attendance_approved_amount_check" CHECK ("approved_amount" >= 0);

ALTER TABLE "attendance_attempts" ADD CONSTRAINT "attendance_attempts_wrong_check" CHECK ("wrong" >= 0);

-- Who has not checked out: the job of attendance looks for them.
CREATE INDEX "attendance_open_idx" ON "attendance"("business_id", "id") WHERE "checked_in_at" IS NOT NULL AND "checked_out_at" IS NULL;
