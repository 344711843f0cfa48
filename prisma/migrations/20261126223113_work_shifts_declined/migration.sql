-- The few that were declined.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "work_shifts_business_id_declined_at_idx" ON "work_shifts"("business_id", "declined_at") WHERE ("declined_at" IS NOT NULL);
