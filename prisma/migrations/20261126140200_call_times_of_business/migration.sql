-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "call_times_business_id_starts_at_id_idx" ON "call_times"("business_id", "starts_at", "id");
