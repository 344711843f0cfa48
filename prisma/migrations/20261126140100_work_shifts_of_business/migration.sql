-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "work_shifts_business_id_starts_at_id_status_idx" ON "work_shifts"("business_id", "starts_at", "id", "status");
