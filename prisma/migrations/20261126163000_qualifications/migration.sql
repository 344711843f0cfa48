-- AlterTable
ALTER TABLE "call_times" ADD COLUMN     "requirements_version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "positions" ADD COLUMN     "requirements_version" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "qualifications" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "expires" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "qualifications_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "user_qualifications" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "qualification_id" INTEGER NOT NULL,
    "level" INTEGER,
    "valid_from" DATE,
    "valid_until" DATE,
    "reference" TEXT,
    "announced_until" DATE,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "user_qualifications_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "requirements" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "position_id" INTEGER,
    "event_id" INTEGER,
    "call_time_id" INTEGER,
    "qualification_id" INTEGER NOT NULL,
    "min_level" INTEGER,

    CONSTRAINT "requirements_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "qualifications_business_id_name_key" ON "qualifications"("business_id", "name");

-- CreateIndex
CREATE INDEX "user_qualifications_business_id_user_id_qualification_id_idx" ON "user_qualifications"("business_id", "user_id", "qualification_id");

-- CreateIndex
CREATE INDEX "user_qualifications_business_id_qualification_id_idx" ON "user_qualifications"("business_id", "qualification_id");

-- CreateIndex
CREATE INDEX "user_qualifications_business_id_valid_until_idx" ON "user_qualifications"("business_id", "valid_until");

-- CreateIndex
CREATE INDEX "requirements_business_id_qualification_id_idx" ON "requirements"("business_id", "qualification_id");

-- CreateIndex
CREATE UNIQUE INDEX "requirements_business_id_position_id_qualification_id_key" ON "requirements"("business_id", "position_id", "qualification_id");

-- CreateIndex
CREATE UNIQUE INDEX "requirements_business_id_call_time_id_qualification_id_key" ON "requirements"("business_id", "call_time_id", "qualification_id");

-- AddForeignKey
ALTER TABLE "qualifications" ADD CONSTRAINT "qualifications_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_qualifications" ADD CONSTRAINT "user_qualifications_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_qualifications" ADD CONSTRAINT "user_qualifications_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_qualifications" ADD CONSTRAINT "user_qualifications_business_id_qualification_id_fkey" FOREIGN KEY ("business_id", "qualification_id") REFERENCES "qualifications"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "requirements" ADD CONSTRAINT "requirements_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "requirements" ADD CONSTRAINT "requirements_business_id_position_id_fkey" FOREIGN KEY ("business_id", "position_id") REFERENCES "positions"("business_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "requirements" ADD CONSTRAINT "requirements_business_id_event_id_call_time_id_fkey" FOREIGN KEY ("business_id", "event_id", "call_time_id") REFERENCES "call_times"("business_id", "event_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "requirements" ADD CONSTRAINT "requirements_business_id_qualification_id_fkey" FOREIGN KEY ("business_id", "qualification_id") REFERENCES "qualifications"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- As src/db/registry.ts asks for it.
ALTER TABLE "qualifications" ADD CONSTRAINT "qualifications_name_check" CHECK (char_length("name") <= 200 AND "name" ~ '[^[:space:]]');
ALTER TABLE "user_qualifications" ADD CONSTRAINT "user_qualifications_reference_check" CHECK (char_length("reference") <= 200 AND "reference" ~ '[^[:space:]]');
CREATE TRIGGER count_version BEFORE UPDATE ON "qualifications" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON "qualifications" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON "qualifications" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id))) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON "qualifications" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE TRIGGER log_insert AFTER INSERT ON "qualifications" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "qualifications" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "qualifications" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER count_version BEFORE UPDATE ON "user_qualifications" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON "user_qualifications" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON "user_qualifications" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id))) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON "user_qualifications" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE TRIGGER log_insert AFTER INSERT ON "user_qualifications" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "user_qualifications" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "user_qualifications" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON "requirements" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON "requirements" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id))) EXECUTE FUNCTION revise_business_of_row();
CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON "requirements" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row();
CREATE TRIGGER log_insert AFTER INSERT ON "requirements" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "requirements" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "requirements" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
ALTER TABLE "qualifications" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);
ALTER TABLE "user_qualifications" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);
ALTER TABLE "requirements" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);

ALTER TABLE "user_qualifications"
  ADD CONSTRAINT "user_qualifications_level_check" CHECK ("level" BETWEEN 1 AND 5),
  ADD CONSTRAINT "user_qualifications_valid_until_check" CHECK ("valid_until" >= "valid_from");
ALTER TABLE "requirements"
  ADD CONSTRAINT "requirements_min_level_check" CHECK ("min_level" BETWEEN 1 AND 5),
  ADD CONSTRAINT "requirements_call_time_id_check" CHECK (num_nonnulls("position_id", "call_time_id") = 1 AND num_nulls("event_id", "call_time_id") <> 1);
