-- Writers are kept out until the rows there are were counted.
LOCK TABLE "call_times", "work_shifts", "attendance" IN SHARE ROW EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "event_staffing" ADD COLUMN     "present" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "position_staffing" ADD COLUMN     "present" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "event_staffing" ADD CONSTRAINT "event_staffing_present_check" CHECK ("present" >= 0);
ALTER TABLE "position_staffing" ADD CONSTRAINT "position_staffing_present_check" CHECK ("present" >= 0);

-- The people of active shifts on call times who have checked in.
CREATE VIEW "counted_present" AS
SELECT a.business_id, a.event_id, c.position_id, count(*)::int AS present
  FROM attendance a
  JOIN work_shifts s ON s.business_id = a.business_id AND s.id = a.id AND s.status = 'active'
  JOIN call_times c ON c.business_id = s.business_id AND c.event_id = s.event_id AND c.id = s.call_time_id
 WHERE a.checked_in_at IS NOT NULL
 GROUP BY a.business_id, a.event_id, c.position_id;

-- As in count_staffing, the row of the event is locked first and counted then. Check-ins count only this.
CREATE FUNCTION count_present(business INTEGER, event INTEGER) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM event_staffing WHERE business_id = business AND event_id = event FOR NO KEY UPDATE;
  WITH counted AS MATERIALIZED (
         SELECT position_id, present FROM counted_present n WHERE n.business_id = business AND n.event_id = event),
       of_positions AS (
         UPDATE position_staffing AS t SET present = coalesce((SELECT n.present FROM counted n WHERE n.position_id = t.position_id), 0)
          WHERE t.business_id = business AND t.event_id = event
            AND t.present <> coalesce((SELECT n.present FROM counted n WHERE n.position_id = t.position_id), 0))
  UPDATE event_staffing AS t SET present = n.present
    FROM (SELECT coalesce(sum(present), 0) AS present FROM counted) AS n
   WHERE t.business_id = business AND t.event_id = event AND t.present <> n.present;
END
$$;

-- What depends on call times and shifts is counted with them.
ALTER FUNCTION count_staffing(INTEGER, INTEGER) RENAME TO count_planned_staffing;
CREATE FUNCTION count_staffing(business INTEGER, event INTEGER) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM count_planned_staffing(business, event);
  IF EXISTS (SELECT 1 FROM attendance WHERE business_id = business AND event_id = event) THEN
    PERFORM count_present(business, event);
  END IF;
END
$$;

CREATE FUNCTION count_present_of_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_present(business_id, event_id)
     FROM (SELECT DISTINCT business_id, event_id FROM added WHERE checked_in_at IS NOT NULL ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_present_of_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_present(business_id, event_id)
     FROM (SELECT DISTINCT business_id, event_id FROM removed WHERE checked_in_at IS NOT NULL ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_present_of_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_present(business_id, event_id)
     FROM (SELECT DISTINCT business_id, event_id
             FROM (SELECT business_id, event_id, id FROM removed WHERE checked_in_at IS NOT NULL
                   UNION ALL SELECT business_id, event_id, id FROM added WHERE checked_in_at IS NOT NULL) AS both_sides
            GROUP BY business_id, event_id, id HAVING count(*) = 1
            ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;

-- As src/db/registry.ts asks for them.
CREATE TRIGGER present_added AFTER INSERT ON "attendance" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_present_of_added();
CREATE TRIGGER present_removed AFTER DELETE ON "attendance" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_present_of_removed();
CREATE TRIGGER present_changed AFTER UPDATE ON "attendance" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_present_of_changed();

UPDATE "position_staffing" AS t SET present = n.present
  FROM "counted_present" AS n
 WHERE n.business_id = t.business_id AND n.event_id = t.event_id AND n.position_id = t.position_id;
UPDATE "event_staffing" AS t SET present = n.present
  FROM (SELECT business_id, event_id, sum(present) AS present FROM "counted_present" GROUP BY business_id, event_id) AS n
 WHERE n.business_id = t.business_id AND n.event_id = t.event_id;
