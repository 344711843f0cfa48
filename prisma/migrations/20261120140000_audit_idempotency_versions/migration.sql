-- AlterTable
ALTER TABLE "call_times" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "custom_fields" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "positions" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "skill_levels" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "work_shifts" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "business_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "answer" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("business_id","key")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "action" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" INTEGER,
    "actor_name" TEXT,
    "subject_kind" TEXT,
    "subject_id" INTEGER,
    "details" JSONB,
    "address" TEXT,
    "request_id" TEXT,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "audit_entries_business_id_at_id_idx" ON "audit_entries"("business_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_at_idx" ON "audit_entries"("at");

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Versions: one more with every change of the row.
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER count_version BEFORE UPDATE ON "call_times" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER count_version BEFORE UPDATE ON "custom_fields" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER count_version BEFORE UPDATE ON "events" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER count_version BEFORE UPDATE ON "positions" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER count_version BEFORE UPDATE ON "skill_levels" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER count_version BEFORE UPDATE ON "users" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER count_version BEFORE UPDATE ON "work_shifts" FOR EACH ROW EXECUTE FUNCTION count_version();

-- Checks
ALTER TABLE "idempotency_keys"
    ADD CONSTRAINT "idempotency_keys_key_check" CHECK (char_length("key") BETWEEN 1 AND 255),
    ADD CONSTRAINT "idempotency_keys_fingerprint_check" CHECK (octet_length("fingerprint") = 32);
ALTER TABLE "audit_entries"
    ADD CONSTRAINT "audit_entries_outcome_check" CHECK ("outcome" IN ('done', 'refused', 'failed')),
    ADD CONSTRAINT "audit_entries_actor_kind_check" CHECK ("actor_kind" IN ('user', 'apiKey', 'anonymous', 'operator'));
