-- Why a call time stands although it does not touch its event.
ALTER TABLE "call_times" ADD COLUMN     "override_reason" TEXT;

-- Triggers and length checks, as src/db/registry.ts asks for them.
ALTER TABLE "call_times" ADD CONSTRAINT "call_times_override_reason_check" CHECK (char_length("override_reason") BETWEEN 1 AND 1000);
