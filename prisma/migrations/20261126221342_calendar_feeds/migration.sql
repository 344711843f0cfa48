-- CreateEnum
CREATE TYPE "FeedKind" AS ENUM ('shifts', 'event', 'client', 'business');

-- CreateTable
CREATE TABLE "feeds" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "kind" "FeedKind" NOT NULL,
    "name" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "event_uuid" UUID,
    "client_id" INTEGER,
    "secret_hash" BYTEA NOT NULL,
    "previous_secret_hash" BYTEA,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "feeds_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "feeds_public_id_key" ON "feeds"("public_id");

-- CreateIndex
CREATE INDEX "feeds_business_id_user_id_idx" ON "feeds"("business_id", "user_id");

-- AddForeignKey
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- As src/db/registry.ts asks for it.
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_name_check" CHECK (char_length("name") <= 100 AND "name" ~ '[^[:space:]]');
ALTER TABLE "feeds" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);
ALTER TABLE "feeds"
  ADD CONSTRAINT "feeds_public_id_check" CHECK ("public_id" ~ '^[0-9A-Za-z]{12}$'),
  ADD CONSTRAINT "feeds_secret_hash_check" CHECK (octet_length("secret_hash") = 32),
  ADD CONSTRAINT "feeds_previous_secret_hash_check" CHECK (octet_length("previous_secret_hash") = 32),
  ADD CONSTRAINT "feeds_kind_check" CHECK (
    ("kind" = 'event') = ("event_uuid" IS NOT NULL) AND ("kind" = 'client') = ("client_id" IS NOT NULL));
