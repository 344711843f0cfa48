-- The longest call time of a business: none that still lasts has started longer ago.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "call_times_business_id_lasts_idx" ON "call_times"("business_id", (extract(epoch FROM "ends_at" - "starts_at")));
