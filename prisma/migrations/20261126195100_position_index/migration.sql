-- The index before this one begins with the same columns.
DROP INDEX CONCURRENTLY IF EXISTS "work_shifts_business_id_position_id_idx";
