-- When somebody was last checked in or noted in a business.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "attendance_business_id_modified_at_idx" ON "attendance"("business_id", "modified_at");
