-- AlterTable
ALTER TABLE "users" ADD COLUMN     "phone" TEXT;

-- AlterTable
ALTER TABLE "work_shifts" ADD COLUMN     "confirmed_at" TIMESTAMPTZ(3),
ADD COLUMN     "declined_at" TIMESTAMPTZ(3);

-- Triggers and length checks, as src/db/registry.ts asks for them.
ALTER TABLE "users" ADD CONSTRAINT "users_phone_check" CHECK (char_length("phone") BETWEEN 1 AND 40);

-- The seconds that events last. The longest bounds how long ago an event that still runs can have started. Prisma has no words
-- for an index of an expression.
CREATE INDEX "events_business_id_lasts_idx" ON "events"("business_id", (extract(epoch FROM "ends_at" - "starts_at")));
