-- CreateTable
CREATE TABLE "position_staffing" (
    "business_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "position_id" INTEGER NOT NULL,
    "needed" INTEGER NOT NULL,
    "assigned" INTEGER NOT NULL,
    "confirmed" INTEGER NOT NULL,
    "filled" INTEGER NOT NULL,
    "shifts" INTEGER NOT NULL,
    "planned_cents" DECIMAL(38,0) NOT NULL,
    "confirmed_cents" DECIMAL(38,0) NOT NULL,
    "open_cents" DECIMAL(38,0) NOT NULL,
    "unpriced_shifts" INTEGER NOT NULL,
    "unpriced_open" INTEGER NOT NULL,
    "priced_rate" DECIMAL(12,2) NOT NULL,
    "priced_unit" "PayUnit" NOT NULL,

    CONSTRAINT "position_staffing_pkey" PRIMARY KEY ("business_id","event_id","position_id")
);

ALTER TABLE "position_staffing" ADD CONSTRAINT "position_staffing_check"
  CHECK ("filled" BETWEEN 0 AND "needed" AND "filled" <= "assigned" AND "confirmed" BETWEEN 0 AND "assigned");

-- The price of one person's work in cents, by its pay unit: elapsed hours, to the second, rounded half up; each 24 hours begun; or
-- flat. It is null while it depends on a time that is to be determined. All of it is whole numbers, because numeric ones take
-- several times as long; whole hours are priced apart, so that no rate and no time that work can have is too large.
CREATE FUNCTION price_work(rate NUMERIC, unit "PayUnit", starts_at TIMESTAMPTZ, ends_at TIMESTAMPTZ) RETURNS BIGINT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE unit
    WHEN 'hour' THEN (rate * 100)::bigint * (date_part('epoch', ends_at - starts_at)::bigint / 3600)
      + ((rate * 100)::bigint * 2 * (date_part('epoch', ends_at - starts_at)::bigint % 3600) + 3600) / 7200
    WHEN 'day' THEN (rate * 100)::bigint * ((date_part('epoch', ends_at - starts_at)::bigint + 86399) / 86400)
    WHEN 'flat' THEN (rate * 100)::bigint END
$$;

-- What position_staffing has to say, from call times and active shifts. Conditions on business and event reach all of its tables.
CREATE VIEW "counted_position_staffing" AS
SELECT business_id, event_id, position_id, sum(needed)::int AS needed, sum(assigned)::int AS assigned, sum(confirmed)::int AS confirmed,
       sum(least(needed, assigned))::int AS filled, sum(shifts)::int AS shifts, coalesce(sum(price) FILTER (WHERE shifts > 0), 0) AS planned_cents,
       coalesce(sum(price) FILTER (WHERE is_confirmed), 0) AS confirmed_cents,
       coalesce(sum((needed - assigned) * price::numeric) FILTER (WHERE needed > assigned), 0) AS open_cents,
       (count(*) FILTER (WHERE shifts > 0 AND price IS NULL))::int AS unpriced_shifts,
       coalesce(sum(needed - assigned) FILTER (WHERE needed > assigned AND price IS NULL), 0)::int AS unpriced_open,
       default_pay_rate AS priced_rate, position_unit AS priced_unit
  FROM (SELECT c.business_id, c.event_id, c.position_id, p.default_pay_rate, p.pay_unit AS position_unit, c.staff_needed AS needed,
               coalesce(a.assigned, 0) AS assigned, coalesce(a.confirmed, 0) AS confirmed, 0 AS shifts, FALSE AS is_confirmed,
               price_work(coalesce(c.pay_rate, p.default_pay_rate), c.pay_unit, CASE WHEN NOT c.start_tbd THEN c.starts_at END,
                          CASE WHEN NOT c.end_tbd THEN c.ends_at END) AS price
          FROM call_times c
          JOIN positions p ON p.business_id = c.business_id AND p.id = c.position_id
          LEFT JOIN (SELECT business_id, event_id, call_time_id, count(*) AS assigned, count(*) FILTER (WHERE confirmed) AS confirmed
                       FROM work_shifts WHERE status = 'active' GROUP BY business_id, event_id, call_time_id) AS a
            ON a.business_id = c.business_id AND a.event_id = c.event_id AND a.call_time_id = c.id
        UNION ALL
        SELECT s.business_id, s.event_id, s.position_id, p.default_pay_rate, p.pay_unit, 0, 0, 0, 1, s.confirmed,
               price_work(coalesce(s.pay_rate, p.default_pay_rate), p.pay_unit, s.starts_at, s.ends_at)
          FROM work_shifts s
          JOIN positions p ON p.business_id = s.business_id AND p.id = s.position_id
         WHERE s.status = 'active') AS work
 GROUP BY business_id, event_id, position_id, default_pay_rate, position_unit;

-- As before, the row of the event is locked first and counted then; it is also the lock of the event's rows by position.
CREATE OR REPLACE FUNCTION count_staffing(business INTEGER, event INTEGER) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM event_staffing WHERE business_id = business AND event_id = event FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    INSERT INTO event_staffing AS t (business_id, event_id, needed, assigned, confirmed, filled)
    SELECT business, event, 0, 0, 0, 0
     WHERE EXISTS (SELECT 1 FROM call_times c WHERE c.business_id = business AND c.event_id = event)
        OR EXISTS (SELECT 1 FROM work_shifts s WHERE s.business_id = business AND s.event_id = event)
        ON CONFLICT (business_id, event_id) DO UPDATE SET needed = t.needed;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  WITH counted AS MATERIALIZED (
         SELECT * FROM counted_position_staffing n WHERE n.business_id = business AND n.event_id = event),
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
     SET needed = n.needed, assigned = n.assigned, confirmed = n.confirmed, filled = n.filled
    FROM (SELECT coalesce(sum(needed), 0) AS needed, coalesce(sum(assigned), 0) AS assigned,
                 coalesce(sum(confirmed), 0) AS confirmed, coalesce(sum(filled), 0) AS filled FROM counted) AS n
   WHERE t.business_id = business AND t.event_id = event
     AND (t.needed, t.assigned, t.confirmed, t.filled) IS DISTINCT FROM (n.needed, n.assigned, n.confirmed, n.filled);
END
$$;

-- A row of which nothing is counted or priced that has changed is in both tables alike.
CREATE OR REPLACE FUNCTION count_staffing_of_changed_call_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_staffing(business_id, event_id)
     FROM (SELECT DISTINCT business_id, event_id
             FROM (SELECT business_id, event_id, id, position_id, staff_needed, pay_rate, pay_unit, starts_at, start_tbd, ends_at, end_tbd FROM removed
                   UNION ALL
                   SELECT business_id, event_id, id, position_id, staff_needed, pay_rate, pay_unit, starts_at, start_tbd, ends_at, end_tbd FROM added) AS both_sides
            GROUP BY business_id, event_id, id, position_id, staff_needed, pay_rate, pay_unit, starts_at, start_tbd, ends_at, end_tbd HAVING count(*) = 1
            ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION count_staffing_of_changed_work_shifts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_staffing(business_id, event_id)
     FROM (SELECT DISTINCT business_id, event_id
             FROM (SELECT business_id, event_id, id, call_time_id, position_id, status, confirmed, pay_rate, starts_at, ends_at FROM removed
                   UNION ALL
                   SELECT business_id, event_id, id, call_time_id, position_id, status, confirmed, pay_rate, starts_at, ends_at FROM added) AS both_sides
            GROUP BY business_id, event_id, id, call_time_id, position_id, status, confirmed, pay_rate, starts_at, ends_at HAVING count(*) = 1
            ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;

-- The triggers of the registry call these functions from now on. Writers are kept out until the rows there are were counted.
LOCK TABLE "call_times", "work_shifts" IN SHARE ROW EXCLUSIVE MODE;

INSERT INTO "position_staffing" (business_id, event_id, position_id, needed, assigned, confirmed, filled, shifts,
       planned_cents, confirmed_cents, open_cents, unpriced_shifts, unpriced_open, priced_rate, priced_unit)
SELECT business_id, event_id, position_id, needed, assigned, confirmed, filled, shifts,
       planned_cents, confirmed_cents, open_cents, unpriced_shifts, unpriced_open, priced_rate, priced_unit FROM "counted_position_staffing";

-- An event with shifts and without call times has had no row to lock.
INSERT INTO "event_staffing" (business_id, event_id, needed, assigned, confirmed, filled)
SELECT DISTINCT business_id, event_id, 0, 0, 0, 0 FROM "position_staffing" ON CONFLICT DO NOTHING;

-- CreateIndex
CREATE INDEX "position_staffing_business_id_position_id_priced_rate_price_idx" ON "position_staffing"("business_id", "position_id", "priced_rate", "priced_unit");

-- AddForeignKey
ALTER TABLE "position_staffing" ADD CONSTRAINT "position_staffing_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "position_staffing" ADD CONSTRAINT "position_staffing_business_id_event_id_fkey" FOREIGN KEY ("business_id", "event_id") REFERENCES "events"("business_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "position_staffing" ADD CONSTRAINT "position_staffing_business_id_position_id_fkey" FOREIGN KEY ("business_id", "position_id") REFERENCES "positions"("business_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;
