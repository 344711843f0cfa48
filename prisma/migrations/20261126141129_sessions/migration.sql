-- AlterTable
ALTER TABLE "personal_tokens" ADD COLUMN     "session_id" INTEGER,
ADD COLUMN     "user_agent" TEXT;

-- CreateTable
CREATE TABLE "sessions" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" INTEGER NOT NULL,
    "public_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "previous_hash" BYTEA,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sessions_public_id_key" ON "sessions"("public_id");

-- CreateIndex
CREATE INDEX "sessions_business_id_user_id_idx" ON "sessions"("business_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_business_id_uuid_key" ON "sessions"("business_id", "uuid");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- As src/db/registry.ts asks for it.
ALTER TABLE "personal_tokens" ADD CONSTRAINT "personal_tokens_user_agent_check" CHECK (char_length("user_agent") BETWEEN 1 AND 200);
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_agent_check" CHECK (char_length("user_agent") BETWEEN 1 AND 200);
ALTER TABLE "sessions" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);

ALTER TABLE "sessions"
  ADD CONSTRAINT "sessions_public_id_check" CHECK (char_length("public_id") BETWEEN 1 AND 100),
  ADD CONSTRAINT "sessions_secret_hash_check" CHECK (octet_length("secret_hash") = 32),
  ADD CONSTRAINT "sessions_previous_hash_check" CHECK (octet_length("previous_hash") = 32),
  ADD CONSTRAINT "sessions_expires_at_check" CHECK ("expires_at" > "created_at");
