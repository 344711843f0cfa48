-- DropIndex
DROP INDEX "events_business_id_client_id_idx";

-- DropIndex
DROP INDEX "events_business_id_created_at_id_idx";

-- DropIndex
DROP INDEX "events_business_id_modified_at_id_idx";

-- DropIndex
DROP INDEX "events_business_id_starts_at_id_idx";

-- DropIndex
DROP INDEX "events_business_id_title_id_idx";

-- DropIndex
DROP INDEX "work_shifts_business_id_event_id_status_idx";

-- CreateTable
CREATE TABLE "business_revisions" (
    "business_id" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "business_revisions_pkey" PRIMARY KEY ("business_id")
);

-- CreateTable
CREATE TABLE "event_tallies" (
    "business_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "status" "EventStatus" NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "event_tallies_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE INDEX "events_business_id_starts_at_id_status_idx" ON "events"("business_id", "starts_at", "id", "status");

-- CreateIndex
CREATE INDEX "events_business_id_client_id_starts_at_id_status_idx" ON "events"("business_id", "client_id", "starts_at", "id", "status");

-- CreateIndex
CREATE INDEX "events_business_id_title_id_status_idx" ON "events"("business_id", "title", "id", "status");

-- CreateIndex
CREATE INDEX "events_business_id_created_at_id_status_idx" ON "events"("business_id", "created_at", "id", "status");

-- CreateIndex
CREATE INDEX "events_business_id_modified_at_id_status_idx" ON "events"("business_id", "modified_at", "id", "status");

-- CreateIndex
CREATE INDEX "work_shifts_business_id_event_id_starts_at_id_status_idx" ON "work_shifts"("business_id", "event_id", "starts_at", "id", "status");

-- AddForeignKey
ALTER TABLE "business_revisions" ADD CONSTRAINT "business_revisions_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "event_tallies" ADD CONSTRAINT "event_tallies_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Revisions: a higher one with every transaction that changes what answers are made of. Its first change asks for that, at
-- the commit: so the row of the business is the last that a transaction locks, and for no longer than the commit takes.
-- Never below the clock, in microseconds: after a restore, or on a replica that lags behind what was lost, no number comes
-- again that somebody may still hold for another state.
ALTER TABLE "business_revisions" SET (fillfactor = 50);
CREATE FUNCTION is_first_change(business INTEGER) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  mark TEXT := pg_current_xact_id() || ':' || business;
BEGIN
  IF current_setting('callboard.changed', TRUE) = mark THEN RETURN FALSE; END IF;
  -- Undone with the change, where a transaction goes back to a savepoint.
  PERFORM set_config('callboard.changed', mark, TRUE);
  RETURN TRUE;
END
$$;
CREATE FUNCTION revise(business INTEGER) RETURNS void LANGUAGE sql AS $$
  INSERT INTO business_revisions AS r (business_id, revision)
  VALUES (business, extract(epoch FROM clock_timestamp()) * 1000000)
      ON CONFLICT (business_id) DO UPDATE SET revision = greatest(r.revision + 1, EXCLUDED.revision);
$$;
CREATE FUNCTION revise_business() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM revise(NEW.id);
  RETURN NULL;
END
$$;
CREATE FUNCTION revise_business_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM revise(OLD.business_id); END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.business_id <> OLD.business_id) THEN PERFORM revise(NEW.business_id); END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER revise AFTER INSERT OR UPDATE ON "businesses" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_first_change(NEW.id)) EXECUTE FUNCTION revise_business();
DO $$
DECLARE
  changed TEXT;
BEGIN
  FOREACH changed IN ARRAY ARRAY['users', 'positions', 'skill_levels', 'events', 'call_times', 'work_shifts', 'custom_fields', 'custom_field_values'] LOOP
    EXECUTE format('CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON %I DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (is_first_change(NEW.business_id)) EXECUTE FUNCTION revise_business_of_row()', changed);
    EXECUTE format('CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON %I DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.business_id <> OLD.business_id OR is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row()', changed);
    EXECUTE format('CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON %I DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (is_first_change(OLD.business_id)) EXECUTE FUNCTION revise_business_of_row()', changed);
  END LOOP;
END
$$;

-- Tallies: a writer adds to a row that no other holds, or makes one. So nobody waits for anybody else's count, a business has
-- few rows of a status for each writer that it had at once, and their old versions need no VACUUM to go.
ALTER TABLE "event_tallies" SET (fillfactor = 50);
CREATE FUNCTION tally_events(business INTEGER, which "EventStatus", more BIGINT) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free BIGINT;
BEGIN
  SELECT id INTO free FROM event_tallies
   WHERE business_id = business AND status = which LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF free IS NULL THEN
    INSERT INTO event_tallies (business_id, status, delta) VALUES (business, which, more);
  ELSE
    UPDATE event_tallies SET delta = delta + more WHERE business_id = business AND id = free;
  END IF;
END
$$;
CREATE FUNCTION tally_added_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally_events(business_id, status, count(*)) FROM added GROUP BY business_id, status;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_removed_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally_events(business_id, status, -count(*)) FROM removed GROUP BY business_id, status;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_changed_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally_events(business_id, status, sum(more))
     FROM (SELECT business_id, status, 1 AS more FROM added UNION ALL SELECT business_id, status, -1 FROM removed) AS changed
    GROUP BY business_id, status
   HAVING sum(more) <> 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER tally_added AFTER INSERT ON "events" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_added_events();
CREATE TRIGGER tally_removed AFTER DELETE ON "events" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_events();
CREATE TRIGGER tally_changed AFTER UPDATE ON "events" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_events();
INSERT INTO event_tallies (business_id, status, delta) SELECT business_id, status, count(*) FROM events GROUP BY business_id, status;
