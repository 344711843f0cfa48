-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "offers" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- As src/db/registry.ts asks for it.
CREATE TRIGGER count_version BEFORE UPDATE ON "businesses" FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER count_version BEFORE UPDATE ON "offers" FOR EACH ROW EXECUTE FUNCTION count_version();

-- As before, but of rows without a business_id, such as businesses, no such column is read.
CREATE OR REPLACE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stamps CONSTANT TEXT[] := '{version,modified_at,updated_at,unique_resource_id}';
BEGIN
  IF to_jsonb(NEW) - stamps = to_jsonb(OLD) - stamps THEN
    IF TG_TABLE_NAME <> 'events' THEN
      RETURN OLD;
    END IF;
    IF NOT EXISTS (
         SELECT 1 FROM row_changes r
          WHERE r.business_id = OLD.business_id AND r.event_id = OLD.id AND r.kind = 'custom_field_values'
            AND r.batch = nullif(current_setting('callboard.batch', TRUE), '')::bigint) THEN
      OLD.unique_resource_id := NEW.unique_resource_id;
      RETURN OLD;
    END IF;
  END IF;
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;
