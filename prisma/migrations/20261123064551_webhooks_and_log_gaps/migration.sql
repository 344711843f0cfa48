-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "types" TEXT[],
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "revision" BIGINT NOT NULL,
    "change_id" BIGINT,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "webhook_messages" (
    "business_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "endpoint_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_messages_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "business_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "message_id" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status_code" INTEGER,
    "duration_ms" INTEGER NOT NULL,
    "error" TEXT,
    "response" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_business_id_uuid_key" ON "webhook_endpoints"("business_id", "uuid");

-- CreateIndex
CREATE INDEX "webhook_messages_business_id_endpoint_id_id_idx" ON "webhook_messages"("business_id", "endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_messages_business_id_endpoint_id_next_attempt_at_idx" ON "webhook_messages"("business_id", "endpoint_id", "next_attempt_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_messages_business_id_uuid_key" ON "webhook_messages"("business_id", "uuid");

-- CreateIndex
CREATE INDEX "webhook_attempts_business_id_message_id_id_idx" ON "webhook_attempts"("business_id", "message_id", "id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_business_id_endpoint_id_fkey" FOREIGN KEY ("business_id", "endpoint_id") REFERENCES "webhook_endpoints"("business_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_business_id_message_id_fkey" FOREIGN KEY ("business_id", "message_id") REFERENCES "webhook_messages"("business_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- Triggers and length checks, as src/db/registry.ts asks for them.
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_url_check" CHECK (char_length("url") BETWEEN 1 AND 2000);
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_description_check" CHECK (char_length("description") <= 200);
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_disabled_reason_check"
  CHECK ("disabled_reason" IN ('caller', 'gone', 'failing', 'expired') AND ("disabled_reason" IS NULL) = ("disabled_at" IS NULL));
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_previous_secret_check"
  CHECK (("previous_secret" IS NULL) = ("previous_secret_expires_at" IS NULL));
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_status_check"
  CHECK ("status" IN ('pending', 'delivered', 'failed') AND ("status" = 'pending') = ("next_attempt_at" IS NOT NULL));
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_attempt_count_check" CHECK ("attempt_count" >= 0);
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_status_code_check" CHECK ("status_code" BETWEEN 100 AND 999);
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_duration_ms_check" CHECK ("duration_ms" >= 0);

-- A commit with the log off is a gap: nobody may read on from before it. What was logged before goes, so its cursors expire.
CREATE OR REPLACE FUNCTION revise(business INTEGER) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made BIGINT;
  origin JSONB := nullif(current_setting('callboard.origin', TRUE), '');
BEGIN
  INSERT INTO business_revisions AS r (business_id, revision)
  VALUES (business, extract(epoch FROM clock_timestamp()) * 1000000)
      ON CONFLICT (business_id) DO UPDATE SET revision = greatest(r.revision + 1, EXCLUDED.revision)
  RETURNING r.revision INTO made;
  INSERT INTO commits (business_id, revision, batch, actor_kind, actor_id, actor_name, operation, request_id)
  VALUES (business, made, nullif(current_setting('callboard.batch', TRUE), '')::bigint, origin->>'kind', (origin->>'id')::int,
          origin->>'name', origin->>'operation', origin->>'requestId');
  IF current_setting('callboard.log', TRUE) = 'off' THEN
    DELETE FROM row_changes WHERE business_id = business;
    DELETE FROM commits WHERE business_id = business AND revision < made;
  END IF;
END
$$;

-- The cursor of now is the newest commit. A business that has not changed since the log was introduced has none yet.
INSERT INTO commits (business_id, revision)
SELECT r.business_id, r.revision FROM business_revisions r
 WHERE NOT EXISTS (SELECT 1 FROM commits c WHERE c.business_id = r.business_id AND c.revision = r.revision);
