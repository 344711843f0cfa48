-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "scopes" TEXT[] DEFAULT ARRAY['full']::TEXT[];

-- AlterTable
ALTER TABLE "personal_tokens" ADD COLUMN     "scopes" TEXT[] DEFAULT ARRAY['full']::TEXT[];

-- Checks
ALTER TABLE "api_keys"
  ADD CONSTRAINT "api_keys_scopes_check" CHECK (
    "scopes" IS NOT NULL AND cardinality("scopes") >= 1
    AND "scopes" <@ ARRAY['read', 'events:write', 'staffing:write', 'users:write', 'webhooks', 'full']),
  ADD CONSTRAINT "api_keys_expires_at_check" CHECK ("expires_at" > "created_at");

ALTER TABLE "personal_tokens"
  ADD CONSTRAINT "personal_tokens_scopes_check" CHECK (
    "scopes" IS NOT NULL AND cardinality("scopes") >= 1
    AND "scopes" <@ ARRAY['read', 'events:write', 'staffing:write', 'users:write', 'webhooks', 'full']);
