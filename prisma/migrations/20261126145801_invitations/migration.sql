-- CreateTable
CREATE TABLE "invitations" (
    "business_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("business_id","user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "invitations_secret_hash_key" ON "invitations"("secret_hash");

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- As src/db/registry.ts asks for it.
ALTER TABLE "invitations" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);


ALTER TABLE "invitations"
  ADD CONSTRAINT "invitations_secret_hash_check" CHECK (octet_length("secret_hash") = 32),
  ADD CONSTRAINT "invitations_expires_at_check" CHECK ("expires_at" > "created_at");
