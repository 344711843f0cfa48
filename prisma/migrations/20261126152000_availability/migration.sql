-- CreateEnum
CREATE TYPE "AvailabilityRule" AS ENUM ('available', 'preferred', 'unavailable');

-- CreateTable
CREATE TABLE "availability_patterns" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" INTEGER NOT NULL,
    "rule" "AvailabilityRule" NOT NULL,
    "weekday" "Weekday" NOT NULL,
    "start_time" TEXT NOT NULL,
    "end_time" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "valid_from" DATE,
    "valid_until" DATE,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "availability_patterns_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "availability_exceptions" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" INTEGER NOT NULL,
    "rule" "AvailabilityRule" NOT NULL,
    "starts_at" TIMESTAMPTZ(0) NOT NULL,
    "ends_at" TIMESTAMPTZ(0) NOT NULL,
    "note" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "availability_exceptions_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE INDEX "availability_patterns_business_id_user_id_idx" ON "availability_patterns"("business_id", "user_id");

-- CreateIndex
CREATE INDEX "availability_patterns_business_id_weekday_user_id_idx" ON "availability_patterns"("business_id", "weekday", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "availability_patterns_business_id_uuid_key" ON "availability_patterns"("business_id", "uuid");

-- CreateIndex
CREATE INDEX "availability_exceptions_business_id_user_id_ends_at_idx" ON "availability_exceptions"("business_id", "user_id", "ends_at");

-- CreateIndex
CREATE INDEX "availability_exceptions_business_id_ends_at_starts_at_idx" ON "availability_exceptions"("business_id", "ends_at", "starts_at");

-- CreateIndex
CREATE UNIQUE INDEX "availability_exceptions_business_id_uuid_key" ON "availability_exceptions"("business_id", "uuid");

-- AddForeignKey
ALTER TABLE "availability_patterns" ADD CONSTRAINT "availability_patterns_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "availability_patterns" ADD CONSTRAINT "availability_patterns_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "availability_exceptions" ADD CONSTRAINT "availability_exceptions_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "availability_exceptions" ADD CONSTRAINT "availability_exceptions_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- As src/db/registry.ts asks for it.
ALTER TABLE "availability_patterns" ADD CONSTRAINT "availability_patterns_timezone_check" CHECK (char_length("timezone") BETWEEN 1 AND 64);
ALTER TABLE "availability_exceptions" ADD CONSTRAINT "availability_exceptions_note_check" CHECK (char_length("note") <= 200 AND "note" ~ '[^[:space:]]');
CREATE TRIGGER count_version BEFORE UPDATE ON "availability_patterns" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON "availability_patterns" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON "availability_patterns" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id))) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON "availability_patterns" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE TRIGGER log_insert AFTER INSERT ON "availability_patterns" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "availability_patterns" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "availability_patterns" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER count_version BEFORE UPDATE ON "availability_exceptions" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON "availability_exceptions" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON "availability_exceptions" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id))) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON "availability_exceptions" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE TRIGGER log_insert AFTER INSERT ON "availability_exceptions" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "availability_exceptions" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "availability_exceptions" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
ALTER TABLE "availability_patterns" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);
ALTER TABLE "availability_exceptions" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);

ALTER TABLE "availability_patterns"
  ADD CONSTRAINT "availability_patterns_start_time_check" CHECK ("start_time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD CONSTRAINT "availability_patterns_end_time_check" CHECK ("end_time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD CONSTRAINT "availability_patterns_valid_from_check" CHECK ("valid_from" BETWEEN DATE '1970-01-01' AND DATE '2999-12-31'),
  ADD CONSTRAINT "availability_patterns_valid_until_check" CHECK ("valid_until" BETWEEN DATE '1970-01-01' AND DATE '2999-12-31'),
  ADD CONSTRAINT "availability_patterns_validity_check" CHECK ("valid_until" >= "valid_from");

ALTER TABLE "availability_exceptions"
  ADD CONSTRAINT "availability_exceptions_starts_at_check" CHECK ("starts_at" >= TIMESTAMPTZ '1969-12-31 00:00:00+00'),
  ADD CONSTRAINT "availability_exceptions_ends_at_check" CHECK ("ends_at" > "starts_at" AND "ends_at" < TIMESTAMPTZ '3000-01-02 00:00:00+00');
