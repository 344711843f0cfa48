-- CreateEnum
CREATE TYPE "ScreenNames" AS ENUM ('full', 'short', 'hidden');

-- CreateTable
CREATE TABLE "screens" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "names" "ScreenNames" NOT NULL,
    "client_id" INTEGER,
    "position_id" INTEGER,
    "city" TEXT,
    "text" TEXT,
    "code" TEXT,
    "claimable_until" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),
    "public_id" TEXT,
    "secret_hash" BYTEA,
    "created_by_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "screens_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "screens_public_id_key" ON "screens"("public_id");

-- CreateIndex
CREATE INDEX "screens_code_idx" ON "screens"("code");

-- CreateIndex
CREATE UNIQUE INDEX "screens_business_id_uuid_key" ON "screens"("business_id", "uuid");

-- CreateIndex
CREATE UNIQUE INDEX "screens_business_id_code_key" ON "screens"("business_id", "code");

-- AddForeignKey
ALTER TABLE "screens" ADD CONSTRAINT "screens_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "screens" ADD CONSTRAINT "screens_business_id_created_by_id_fkey" FOREIGN KEY ("business_id", "created_by_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Triggers and length checks, as src/db/registry.ts asks for them.
ALTER TABLE "screens" ADD CONSTRAINT "screens_name_check" CHECK (char_length("name") <= 100 AND "name" ~ '[^[:space:]]');
ALTER TABLE "screens" ADD CONSTRAINT "screens_city_check" CHECK (char_length("city") <= 200 AND "city" ~ '[^[:space:]]');
ALTER TABLE "screens" ADD CONSTRAINT "screens_text_check" CHECK (char_length("text") <= 200 AND "text" ~ '[^[:space:]]');
ALTER TABLE "screens"
  ADD CONSTRAINT "screens_code_check" CHECK ("code" ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
  ADD CONSTRAINT "screens_public_id_check" CHECK (char_length("public_id") BETWEEN 1 AND 100),
  ADD CONSTRAINT "screens_secret_hash_check" CHECK (octet_length("secret_hash") = 32),
  -- A claimed screen has a board token and no code.
  ADD CONSTRAINT "screens_claimed_at_check" CHECK (
    ("claimed_at" IS NULL) = ("public_id" IS NULL) AND ("claimed_at" IS NULL) = ("secret_hash" IS NULL)
    AND ("claimed_at" IS NULL OR "code" IS NULL));

-- A screen is a caller of its own.
ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_actor_kind_check",
  ADD CONSTRAINT "audit_entries_actor_kind_check" CHECK ("actor_kind" IN ('user', 'apiKey', 'screen', 'anonymous', 'operator', 'service'));
