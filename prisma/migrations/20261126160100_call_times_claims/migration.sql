-- The call times that staff can claim, by start.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "call_times_claims_idx" ON "call_times"("business_id", "starts_at", "id") WHERE "claims" <> 'none';
