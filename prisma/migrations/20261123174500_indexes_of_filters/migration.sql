-- Events by their city. An index-only scan needs the column itself beside the expression. Prisma has no words for an index of
-- an expression, here and below.
CREATE INDEX "events_business_id_city_idx" ON "events"("business_id", lower("city"), "starts_at", "id", "status") INCLUDE ("city");

-- Events by the exact value of a custom field. A value has up to 200,000 characters and an entry of an index 2,700 bytes.
CREATE INDEX "custom_field_values_business_id_value_idx" ON "custom_field_values"("business_id", "custom_field_id", hashtextextended("value", 0));

-- Events by a part of their texts, where there is pg_trgm: PostgreSQL has it among its contributed modules, the embedded database
-- has not. The owner of a database may create it; a role that may not goes on without the index, and the filter scans.
DO $$
DECLARE
  home TEXT;
BEGIN
  IF EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
    BEGIN
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      SELECT n.nspname INTO home FROM pg_extension x JOIN pg_namespace n ON n.oid = x.extnamespace WHERE x.extname = 'pg_trgm';
      EXECUTE format('CREATE INDEX "events_text_idx" ON "events" USING gin
        (("title" || E''\n'' || coalesce("venue_name", '''') || E''\n'' || coalesce("city", '''')) %I.gin_trgm_ops)', home);
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE WARNING 'The filter by text has no index, because this role may not create the extension pg_trgm.';
    END;
  END IF;
END
$$;
