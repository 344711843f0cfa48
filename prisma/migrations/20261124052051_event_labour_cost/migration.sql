-- Writers are kept out until the rows there are were filled.
LOCK TABLE "call_times", "work_shifts" IN SHARE ROW EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "event_staffing" ADD COLUMN     "shifts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "unpriced_shifts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "unpriced_open" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "planned_cents" DECIMAL(38,0) NOT NULL DEFAULT 0,
ADD COLUMN     "confirmed_cents" DECIMAL(38,0) NOT NULL DEFAULT 0,
ADD COLUMN     "open_cents" DECIMAL(38,0) NOT NULL DEFAULT 0;

-- A job that counts outdated sums may have called the function before, and wait in it for the lock of a row. It would leave the
-- new columns as they are. Without the view under its earlier name, that call fails, and the job repeats it.
ALTER VIEW "counted_position_staffing" RENAME TO "counted_staffing";

-- As before, except that the row of the event also gets the sums of its rows by position.
CREATE OR REPLACE FUNCTION count_staffing(business INTEGER, event INTEGER) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM event_staffing WHERE business_id = business AND event_id = event FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    INSERT INTO event_staffing AS t (business_id, event_id, needed, assigned, confirmed, filled, shifts, unpriced_shifts, unpriced_open,
           planned_cents, confirmed_cents, open_cents)
    SELECT business, event, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
     WHERE EXISTS (SELECT 1 FROM call_times c WHERE c.business_id = business AND c.event_id = event)
        OR EXISTS (SELECT 1 FROM work_shifts s WHERE s.business_id = business AND s.event_id = event)
        ON CONFLICT (business_id, event_id) DO UPDATE SET needed = t.needed;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  WITH counted AS MATERIALIZED (
         SELECT * FROM counted_staffing n WHERE n.business_id = business AND n.event_id = event),
       removed AS (
         DELETE FROM position_staffing AS t
          WHERE t.business_id = business AND t.event_id = event
            AND NOT EXISTS (SELECT 1 FROM counted n WHERE n.position_id = t.position_id)),
       changed AS (
         INSERT INTO position_staffing AS t (business_id, event_id, position_id, needed, assigned, confirmed, filled, shifts,
                planned_cents, confirmed_cents, open_cents, unpriced_shifts, unpriced_open, priced_rate, priced_unit)
         SELECT business_id, event_id, position_id, needed, assigned, confirmed, filled, shifts,
                planned_cents, confirmed_cents, open_cents, unpriced_shifts, unpriced_open, priced_rate, priced_unit FROM counted
             ON CONFLICT (business_id, event_id, position_id) DO UPDATE
            SET (needed, assigned, confirmed, filled, shifts, planned_cents, confirmed_cents, open_cents, unpriced_shifts,
                 unpriced_open, priced_rate, priced_unit)
              = (excluded.needed, excluded.assigned, excluded.confirmed, excluded.filled, excluded.shifts, excluded.planned_cents,
                 excluded.confirmed_cents, excluded.open_cents, excluded.unpriced_shifts, excluded.unpriced_open,
                 excluded.priced_rate, excluded.priced_unit)
          WHERE t.* IS DISTINCT FROM excluded.*)
  UPDATE event_staffing AS t
     SET (needed, assigned, confirmed, filled, shifts, unpriced_shifts, unpriced_open, planned_cents, confirmed_cents, open_cents)
       = (n.needed, n.assigned, n.confirmed, n.filled, n.shifts, n.unpriced_shifts, n.unpriced_open, n.planned_cents, n.confirmed_cents,
          n.open_cents)
    FROM (SELECT coalesce(sum(needed), 0) AS needed, coalesce(sum(assigned), 0) AS assigned,
                 coalesce(sum(confirmed), 0) AS confirmed, coalesce(sum(filled), 0) AS filled, coalesce(sum(shifts), 0) AS shifts,
                 coalesce(sum(unpriced_shifts), 0) AS unpriced_shifts, coalesce(sum(unpriced_open), 0) AS unpriced_open,
                 coalesce(sum(planned_cents), 0) AS planned_cents, coalesce(sum(confirmed_cents), 0) AS confirmed_cents,
                 coalesce(sum(open_cents), 0) AS open_cents FROM counted) AS n
   WHERE t.business_id = business AND t.event_id = event
     AND (t.needed, t.assigned, t.confirmed, t.filled, t.shifts, t.unpriced_shifts, t.unpriced_open, t.planned_cents, t.confirmed_cents,
          t.open_cents)
         IS DISTINCT FROM
         (n.needed, n.assigned, n.confirmed, n.filled, n.shifts, n.unpriced_shifts, n.unpriced_open, n.planned_cents, n.confirmed_cents,
          n.open_cents);
END
$$;

UPDATE "event_staffing" AS t
   SET (shifts, unpriced_shifts, unpriced_open, planned_cents, confirmed_cents, open_cents)
     = (n.shifts, n.unpriced_shifts, n.unpriced_open, n.planned_cents, n.confirmed_cents, n.open_cents)
  FROM (SELECT business_id, event_id, sum(shifts) AS shifts, sum(unpriced_shifts) AS unpriced_shifts, sum(unpriced_open) AS unpriced_open,
               sum(planned_cents) AS planned_cents, sum(confirmed_cents) AS confirmed_cents, sum(open_cents) AS open_cents
          FROM "position_staffing" GROUP BY business_id, event_id) AS n
 WHERE t.business_id = n.business_id AND t.event_id = n.event_id;

ALTER TABLE "event_staffing" ALTER COLUMN "shifts" DROP DEFAULT, ALTER COLUMN "unpriced_shifts" DROP DEFAULT,
  ALTER COLUMN "unpriced_open" DROP DEFAULT, ALTER COLUMN "planned_cents" DROP DEFAULT, ALTER COLUMN "confirmed_cents" DROP DEFAULT,
  ALTER COLUMN "open_cents" DROP DEFAULT;
