-- AlterTable
ALTER TABLE "work_shifts" ADD COLUMN     "canceled_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "list_tallies" (
    "business_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "position_id" INTEGER NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "list_tallies_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE INDEX "list_tallies_business_id_kind_position_id_idx" ON "list_tallies"("business_id", "kind", "position_id");

-- AddForeignKey
ALTER TABLE "list_tallies" ADD CONSTRAINT "list_tallies_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "list_tallies" SET (fillfactor = 50);

ALTER TABLE "list_tallies" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);

-- When a shift became canceled follows from its status and the time of the change, so that no writer can forget it.
CREATE FUNCTION note_cancellation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'canceled' THEN NEW.canceled_at := NEW.modified_at;
  ELSIF NEW.status = 'active' THEN NEW.canceled_at := NULL;
  END IF;
  RETURN NEW;
END
$$;

-- As with the tallies of events, a writer adds to a row that no other holds, or makes one.
CREATE FUNCTION tally_list(business INTEGER, which TEXT, of_position INTEGER, more BIGINT) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free BIGINT;
BEGIN
  SELECT id INTO free FROM list_tallies
   WHERE business_id = business AND kind = which AND position_id = of_position LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF free IS NULL THEN
    INSERT INTO list_tallies (business_id, kind, position_id, delta) VALUES (business, which, of_position, more);
  ELSE
    UPDATE list_tallies SET delta = delta + more WHERE business_id = business AND id = free;
  END IF;
END
$$;
CREATE FUNCTION kind_of_shift(status "ShiftStatus", confirmed BOOLEAN) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT status::text || CASE WHEN confirmed THEN ' confirmed' ELSE '' END
$$;

-- Rows of deleted events do not count. The triggers of the staffing have locked the staffing of the events by then, as the trigger
-- of a deleted event does, so no row is counted that the other one does not see.
CREATE FUNCTION tally_added_work_shifts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally_list(r.business_id, kind_of_shift(r.status, r.confirmed), r.position_id, count(*))
     FROM added r JOIN events e ON e.business_id = r.business_id AND e.id = r.event_id AND e.status <> 'deleted'
    GROUP BY r.business_id, r.status, r.confirmed, r.position_id;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_removed_work_shifts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally_list(r.business_id, kind_of_shift(r.status, r.confirmed), r.position_id, -count(*))
     FROM removed r JOIN events e ON e.business_id = r.business_id AND e.id = r.event_id AND e.status <> 'deleted'
    GROUP BY r.business_id, r.status, r.confirmed, r.position_id;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_changed_work_shifts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally_list(r.business_id, kind_of_shift(r.status, r.confirmed), r.position_id, sum(r.more))
     FROM (SELECT business_id, event_id, status, confirmed, position_id, 1 AS more FROM added
           UNION ALL
           SELECT business_id, event_id, status, confirmed, position_id, -1 FROM removed) AS r
     JOIN events e ON e.business_id = r.business_id AND e.id = r.event_id AND e.status <> 'deleted'
    GROUP BY r.business_id, r.status, r.confirmed, r.position_id
   HAVING sum(r.more) <> 0;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_added_call_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally_list(r.business_id, 'call_time', r.position_id, count(*))
     FROM added r JOIN events e ON e.business_id = r.business_id AND e.id = r.event_id AND e.status <> 'deleted'
    GROUP BY r.business_id, r.position_id;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_removed_call_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally_list(r.business_id, 'call_time', r.position_id, -count(*))
     FROM removed r JOIN events e ON e.business_id = r.business_id AND e.id = r.event_id AND e.status <> 'deleted'
    GROUP BY r.business_id, r.position_id;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_changed_call_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally_list(r.business_id, 'call_time', r.position_id, sum(r.more))
     FROM (SELECT business_id, event_id, position_id, 1 AS more FROM added
           UNION ALL
           SELECT business_id, event_id, position_id, -1 FROM removed) AS r
     JOIN events e ON e.business_id = r.business_id AND e.id = r.event_id AND e.status <> 'deleted'
    GROUP BY r.business_id, r.position_id
   HAVING sum(r.more) <> 0;
  RETURN NULL;
END
$$;
CREATE FUNCTION tally_rows_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM event_staffing WHERE business_id = NEW.business_id AND event_id = NEW.id FOR NO KEY UPDATE;
  PERFORM tally_list(NEW.business_id, r.kind, r.position_id, CASE WHEN NEW.status = 'deleted' THEN -r.rows ELSE r.rows END)
     FROM (SELECT kind_of_shift(status, confirmed) AS kind, position_id, count(*) AS rows FROM work_shifts
            WHERE business_id = NEW.business_id AND event_id = NEW.id GROUP BY 1, 2
           UNION ALL
           SELECT 'call_time', position_id, count(*) FROM call_times
            WHERE business_id = NEW.business_id AND event_id = NEW.id GROUP BY position_id) AS r;
  RETURN NULL;
END
$$;

-- Writers are kept out until the rows there are were counted.
LOCK TABLE "events", "call_times", "work_shifts" IN SHARE ROW EXCLUSIVE MODE;

CREATE TRIGGER tally_rows AFTER UPDATE ON "events" FOR EACH ROW WHEN ((NEW.status = 'deleted'::"EventStatus") <> (OLD.status = 'deleted'::"EventStatus")) EXECUTE FUNCTION tally_rows_of_event();
CREATE TRIGGER tally_added AFTER INSERT ON "call_times" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_added_call_times();
CREATE TRIGGER tally_removed AFTER DELETE ON "call_times" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_call_times();
CREATE TRIGGER tally_changed AFTER UPDATE ON "call_times" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_call_times();
CREATE TRIGGER tally_added AFTER INSERT ON "work_shifts" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_added_work_shifts();
CREATE TRIGGER tally_removed AFTER DELETE ON "work_shifts" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_work_shifts();
CREATE TRIGGER tally_changed AFTER UPDATE ON "work_shifts" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_work_shifts();
CREATE TRIGGER note_cancellation BEFORE UPDATE OF status ON "work_shifts" FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION note_cancellation();

INSERT INTO list_tallies (business_id, kind, position_id, delta)
SELECT r.business_id, kind_of_shift(r.status, r.confirmed), r.position_id, count(*)
  FROM work_shifts r JOIN events e ON e.business_id = r.business_id AND e.id = r.event_id AND e.status <> 'deleted'
 GROUP BY r.business_id, r.status, r.confirmed, r.position_id
UNION ALL
SELECT r.business_id, 'call_time', r.position_id, count(*)
  FROM call_times r JOIN events e ON e.business_id = r.business_id AND e.id = r.event_id AND e.status <> 'deleted'
 GROUP BY r.business_id, r.position_id;
