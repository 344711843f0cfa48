-- The call times that staff can claim, by position: what counts them reads this index alone.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "call_times_claimable_idx" ON "call_times"("business_id", "position_id", "starts_at", "id") INCLUDE ("event_id", "staff_needed") WHERE "claims" <> 'none';
