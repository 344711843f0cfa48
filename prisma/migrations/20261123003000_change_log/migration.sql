-- CreateTable
CREATE TABLE "commits" (
    "business_id" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "batch" BIGINT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "actor_kind" TEXT,
    "actor_id" INTEGER,
    "actor_name" TEXT,
    "operation" TEXT,
    "request_id" TEXT,

    CONSTRAINT "commits_pkey" PRIMARY KEY ("business_id","revision")
);

-- CreateTable
CREATE TABLE "row_changes" (
    "business_id" INTEGER NOT NULL,
    "batch" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "row_id" INTEGER NOT NULL,
    "uuid" UUID,
    "event_id" INTEGER,
    "change" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "row_changes_pkey" PRIMARY KEY ("business_id","batch","id")
);

-- CreateIndex
CREATE INDEX "commits_business_id_batch_idx" ON "commits"("business_id", "batch");

-- CreateIndex
CREATE INDEX "row_changes_business_id_event_id_batch_idx" ON "row_changes"("business_id", "event_id", "batch");

-- The change log. Each transaction has a number, its batch, which its row changes have. At the end, `revise` writes the
-- commit with the revision and the batch: revisions of one business are given out in the order of the commits, and batches
-- are not. A number of our own instead of the transaction id, because a restored database starts those anew.
CREATE SEQUENCE change_batches;

CREATE FUNCTION log_batch() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  batch TEXT := current_setting('callboard.batch', TRUE);
BEGIN
  IF batch <> '' THEN RETURN batch; END IF;
  RETURN set_config('callboard.batch', nextval('change_batches')::text, TRUE);
END
$$;

-- Their argument names the columns that are left out. A custom field value has no id: it is found by its event and its field.
-- Bulk loads set callboard.log to off.
CREATE FUNCTION log_insert() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch BIGINT;
BEGIN
  IF current_setting('callboard.log', TRUE) = 'off' THEN RETURN NULL; END IF;
  batch := log_batch();
  INSERT INTO row_changes (business_id, batch, kind, row_id, uuid, event_id, change, after)
  SELECT (n->>'business_id')::int, batch, TG_TABLE_NAME, coalesce(n->>'id', n->>'custom_field_id')::int, (n->>'uuid')::uuid,
         CASE TG_TABLE_NAME WHEN 'events' THEN n->>'id' ELSE n->>'event_id' END::int, 'insert', n - TG_ARGV[0]::text[]
    FROM (SELECT to_jsonb(a) AS n FROM added a OFFSET 0) AS r;
  RETURN NULL;
END
$$;

CREATE FUNCTION log_delete() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch BIGINT;
BEGIN
  IF current_setting('callboard.log', TRUE) = 'off' THEN RETURN NULL; END IF;
  batch := log_batch();
  INSERT INTO row_changes (business_id, batch, kind, row_id, uuid, event_id, change, before)
  SELECT (o->>'business_id')::int, batch, TG_TABLE_NAME, coalesce(o->>'id', o->>'custom_field_id')::int, (o->>'uuid')::uuid,
         CASE TG_TABLE_NAME WHEN 'events' THEN o->>'id' ELSE o->>'event_id' END::int, 'delete', o - TG_ARGV[0]::text[]
    FROM (SELECT to_jsonb(d) AS o FROM removed d OFFSET 0) AS r;
  RETURN NULL;
END
$$;

-- A row of which nothing else has changed is not recorded. Old and new rows are grouped and not joined: the plan of the first
-- call is kept, and for one row that is a nested loop, which would take minutes for 20,000 rows.
CREATE FUNCTION log_update() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch BIGINT;
BEGIN
  IF current_setting('callboard.log', TRUE) = 'off' THEN RETURN NULL; END IF;
  batch := log_batch();
  INSERT INTO row_changes (business_id, batch, kind, row_id, uuid, event_id, change, before, after)
  SELECT (n->>'business_id')::int, batch, TG_TABLE_NAME, coalesce(n->>'id', n->>'custom_field_id')::int, (n->>'uuid')::uuid,
         CASE TG_TABLE_NAME WHEN 'events' THEN n->>'id' ELSE n->>'event_id' END::int, 'update', changed.old, changed.new
    FROM (SELECT (array_agg(r) FILTER (WHERE is_old))[1] AS o, (array_agg(r) FILTER (WHERE NOT is_old))[1] AS n
            FROM (SELECT TRUE AS is_old, to_jsonb(d) AS r FROM removed d
                  UNION ALL SELECT FALSE, to_jsonb(a) FROM added a) AS both_sides
           GROUP BY coalesce(r->'id', jsonb_build_array(r->'event_id', r->'custom_field_id'))) AS pairs
    CROSS JOIN LATERAL (SELECT jsonb_object_agg(c.key, c.value) AS old, jsonb_object_agg(c.key, n->c.key) AS new
                          FROM jsonb_each(o - TG_ARGV[0]::text[]) AS c WHERE c.value <> n->c.key) AS changed
   WHERE changed.old IS NOT NULL;
  RETURN NULL;
END
$$;

-- In plpgsql, which keeps the plans of its statements for the session.
CREATE OR REPLACE FUNCTION revise(business INTEGER) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made BIGINT;
  origin JSONB := nullif(current_setting('callboard.origin', TRUE), '');
BEGIN
  INSERT INTO business_revisions AS r (business_id, revision)
  VALUES (business, extract(epoch FROM clock_timestamp()) * 1000000)
      ON CONFLICT (business_id) DO UPDATE SET revision = greatest(r.revision + 1, EXCLUDED.revision)
  RETURNING r.revision INTO made;
  INSERT INTO commits (business_id, revision, batch, actor_kind, actor_id, actor_name, operation, request_id)
  VALUES (business, made, nullif(current_setting('callboard.batch', TRUE), '')::bigint, origin->>'kind', (origin->>'id')::int,
          origin->>'name', origin->>'operation', origin->>'requestId');
END
$$;

-- Triggers and length checks, as src/db/registry.ts asks for them.
CREATE TRIGGER log_insert AFTER INSERT ON "users" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at,password_hash,email_key}');
CREATE TRIGGER log_update AFTER UPDATE ON "users" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at,password_hash,email_key}');
CREATE TRIGGER log_delete AFTER DELETE ON "users" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at,password_hash,email_key}');
CREATE TRIGGER log_insert AFTER INSERT ON "positions" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "positions" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "positions" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_insert AFTER INSERT ON "skill_levels" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "skill_levels" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "skill_levels" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_insert AFTER INSERT ON "events" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at,unique_resource_id}');
CREATE TRIGGER log_update AFTER UPDATE ON "events" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at,unique_resource_id}');
CREATE TRIGGER log_delete AFTER DELETE ON "events" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at,unique_resource_id}');
CREATE TRIGGER log_insert AFTER INSERT ON "call_times" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "call_times" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "call_times" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_insert AFTER INSERT ON "work_shifts" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "work_shifts" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "work_shifts" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_insert AFTER INSERT ON "custom_fields" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "custom_fields" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "custom_fields" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_insert AFTER INSERT ON "custom_field_values" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_update AFTER UPDATE ON "custom_field_values" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at}');
CREATE TRIGGER log_delete AFTER DELETE ON "custom_field_values" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at}');

