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
CREATE INDEX "work_shifts_business_id_event_id_starts_at_id_idx" ON "work_shifts"("business_id", "event_id", "starts_at", "id");

-- AddForeignKey
ALTER TABLE "business_revisions" ADD CONSTRAINT "business_revisions_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "event_tallies" ADD CONSTRAINT "event_tallies_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Revisions: one more with every transaction that changes what answers are made of. Deferred to the commit, so that the
-- row of the business is the last that a transaction locks, and for no longer than the commit takes; once a transaction.
ALTER TABLE "business_revisions" SET (fillfactor = 50);
CREATE FUNCTION revise(business INTEGER) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  mark TEXT := pg_current_xact_id() || ':' || business;
BEGIN
  IF current_setting('callboard.revised', TRUE) IS DISTINCT FROM mark THEN
    INSERT INTO business_revisions AS r (business_id, revision) VALUES (business, 1)
      ON CONFLICT (business_id) DO UPDATE SET revision = r.revision + 1;
    PERFORM set_config('callboard.revised', mark, TRUE);
  END IF;
END
$$;
CREATE FUNCTION count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM revise(OLD.business_id); END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.business_id <> OLD.business_id) THEN PERFORM revise(NEW.business_id); END IF;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_revision_of_business() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM revise(NEW.id);
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER count_revision AFTER INSERT OR UPDATE ON "businesses" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_revision_of_business();
CREATE CONSTRAINT TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON "users" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE CONSTRAINT TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON "positions" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE CONSTRAINT TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON "skill_levels" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE CONSTRAINT TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON "events" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE CONSTRAINT TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON "call_times" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE CONSTRAINT TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON "work_shifts" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE CONSTRAINT TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON "custom_fields" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE CONSTRAINT TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON "custom_field_values" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_revision();

-- Tallies: appended, never waited for; folded by whoever finds many, as far as nobody else is at it.
CREATE FUNCTION fold_event_tallies(business INTEGER) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (SELECT FROM event_tallies t WHERE t.business_id = business LIMIT 65) AS found) > 64 THEN
    WITH folded AS (
      DELETE FROM event_tallies t
       WHERE t.business_id = business AND t.id IN (
             SELECT f.id FROM event_tallies f WHERE f.business_id = business FOR UPDATE SKIP LOCKED)
      RETURNING t.status, t.delta)
    INSERT INTO event_tallies (business_id, status, delta)
    SELECT business, status, sum(delta) FROM folded GROUP BY status HAVING sum(delta) <> 0;
  END IF;
END
$$;
CREATE FUNCTION tally_added_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_tallies (business_id, status, delta)
  SELECT business_id, status, count(*) FROM added GROUP BY business_id, status;
  PERFORM fold_event_tallies(business_id) FROM (SELECT DISTINCT business_id FROM added) AS changed;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_removed_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_tallies (business_id, status, delta)
  SELECT business_id, status, -count(*) FROM removed GROUP BY business_id, status;
  PERFORM fold_event_tallies(business_id) FROM (SELECT DISTINCT business_id FROM removed) AS changed;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_event_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_tallies (business_id, status, delta)
  VALUES (OLD.business_id, OLD.status, -1), (NEW.business_id, NEW.status, 1);
  PERFORM fold_event_tallies(NEW.business_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER tally_added AFTER INSERT ON "events" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_added_events();
CREATE TRIGGER tally_removed AFTER DELETE ON "events" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_events();
CREATE TRIGGER tally_status AFTER UPDATE OF "status" ON "events" FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tally_event_status();
INSERT INTO event_tallies (business_id, status, delta) SELECT business_id, status, count(*) FROM events GROUP BY business_id, status;
