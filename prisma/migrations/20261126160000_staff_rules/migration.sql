-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "rest_hours" INTEGER,
ADD COLUMN     "weekly_hours" INTEGER;

ALTER TABLE "businesses" ADD CONSTRAINT "businesses_staff_rules_check"
  CHECK ("rest_hours" > 0 AND "weekly_hours" > 0);
