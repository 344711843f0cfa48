-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "position_staffing_business_id_position_id_priced_version_idx" ON "position_staffing"("business_id", "position_id", "priced_version");
