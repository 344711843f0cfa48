-- Shifts that started long before a span and may still last. All others are found by their start.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "work_shifts_business_id_long_idx" ON "work_shifts"("business_id", "starts_at") WHERE ("ends_at" IS NULL OR "ends_at" - "starts_at" > interval '2 days');
