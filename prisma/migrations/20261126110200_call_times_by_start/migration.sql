-- Call times that lie in a span, for events that run at another time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "call_times_business_id_starts_at_ends_at_event_id_idx" ON "call_times"("business_id", "starts_at", "ends_at", "event_id");
