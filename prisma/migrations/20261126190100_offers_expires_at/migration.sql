CREATE INDEX CONCURRENTLY IF NOT EXISTS "offers_expires_at_idx" ON "offers"("expires_at");
