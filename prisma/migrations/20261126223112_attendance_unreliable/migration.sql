-- The few that speak against a candidate.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "attendance_business_id_unreliable_idx" ON "attendance"("business_id", "created_at") WHERE ("no_show" OR "late");
