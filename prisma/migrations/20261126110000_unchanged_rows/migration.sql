-- An update that leaves all values of a row as they are is no change, whoever sends it: its version and its stamps stay. The
-- version of an event counts its custom field values too, whose real changes the log has by then. Its unique resource id
-- follows from others and from a setting.
CREATE OR REPLACE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stamps CONSTANT TEXT[] := '{version,modified_at,updated_at,unique_resource_id}';
BEGIN
  IF to_jsonb(NEW) - stamps = to_jsonb(OLD) - stamps AND (TG_TABLE_NAME <> 'events' OR NOT EXISTS (
       SELECT 1 FROM row_changes r
        WHERE r.business_id = OLD.business_id AND r.event_id = OLD.id AND r.kind = 'custom_field_values'
          AND r.batch = nullif(current_setting('callboard.batch', TRUE), '')::bigint)) THEN
    IF TG_TABLE_NAME = 'events' THEN OLD.unique_resource_id := NEW.unique_resource_id; END IF;
    RETURN OLD;
  END IF;
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;

-- Nor does such an update raise the revision.
DO $$
DECLARE
  changed TEXT;
BEGIN
  FOR changed IN SELECT c.oid::regclass FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                  WHERE t.tgname = 'revise_on_update' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1 LOOP
    EXECUTE format('DROP TRIGGER revise_on_update ON %s', changed);
    EXECUTE format('CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON %s DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id)))
      EXECUTE FUNCTION revise_business_of_row()', changed);
  END LOOP;
END
$$;
