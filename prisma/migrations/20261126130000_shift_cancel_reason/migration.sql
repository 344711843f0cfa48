-- AlterTable
ALTER TABLE "work_shifts" ADD COLUMN     "cancel_reason" TEXT;

-- As src/db/registry.ts asks for it.
ALTER TABLE "work_shifts" ADD CONSTRAINT "work_shifts_cancel_reason_check" CHECK (char_length("cancel_reason") BETWEEN 1 AND 1000);
