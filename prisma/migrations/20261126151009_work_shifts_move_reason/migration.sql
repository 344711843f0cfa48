-- AlterTable
ALTER TABLE "work_shifts" ADD COLUMN     "move_reason" TEXT;

-- As src/db/registry.ts asks for it.
ALTER TABLE "work_shifts" ADD CONSTRAINT "work_shifts_move_reason_check" CHECK (char_length("move_reason") BETWEEN 1 AND 1000);
