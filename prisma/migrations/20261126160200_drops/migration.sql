-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "admins_drop" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "drop_deadline_hours" INTEGER;

-- AlterTable
ALTER TABLE "work_shifts" ADD COLUMN     "drop_requested_at" TIMESTAMPTZ(3);

ALTER TABLE "businesses" ADD CONSTRAINT "businesses_drop_deadline_hours_check" CHECK ("drop_deadline_hours" BETWEEN 0 AND 8784);
