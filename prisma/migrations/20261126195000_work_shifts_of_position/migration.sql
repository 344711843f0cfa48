-- Who has worked in a position before a time, without a look at the shifts themselves.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "work_shifts_business_id_position_id_starts_at_status_user_i_idx" ON "work_shifts"("business_id", "position_id", "starts_at", "status", "user_id");
