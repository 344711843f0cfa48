-- AlterTable
ALTER TABLE "attendance" ADD COLUMN     "approved_revenue" DECIMAL(14,2);

-- AlterTable
ALTER TABLE "call_times" ADD COLUMN     "bill_rate" DECIMAL(12,2),
ADD COLUMN     "bill_unit" "PayUnit" NOT NULL DEFAULT 'hour';

-- AlterTable
ALTER TABLE "event_staffing" ADD COLUMN     "billed_shifts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "confirmed_margin_cents" DECIMAL(38,0) NOT NULL DEFAULT 0,
ADD COLUMN     "confirmed_revenue_cents" DECIMAL(38,0) NOT NULL DEFAULT 0,
ADD COLUMN     "planned_margin_cents" DECIMAL(38,0) NOT NULL DEFAULT 0,
ADD COLUMN     "planned_revenue_cents" DECIMAL(38,0) NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "position_rates" ADD COLUMN     "bill_rate" DECIMAL(12,2),
ADD COLUMN     "bill_unit" "PayUnit" NOT NULL DEFAULT 'hour';

-- AlterTable
ALTER TABLE "position_staffing" ADD COLUMN     "billed_shifts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "confirmed_margin_cents" DECIMAL(38,0) NOT NULL DEFAULT 0,
ADD COLUMN     "confirmed_revenue_cents" DECIMAL(38,0) NOT NULL DEFAULT 0,
ADD COLUMN     "planned_margin_cents" DECIMAL(38,0) NOT NULL DEFAULT 0,
ADD COLUMN     "planned_revenue_cents" DECIMAL(38,0) NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "positions" ADD COLUMN     "bill_rate" DECIMAL(12,2),
ADD COLUMN     "bill_unit" "PayUnit" NOT NULL DEFAULT 'hour';

ALTER TABLE "call_times" ADD CONSTRAINT "call_times_bill_rate_check" CHECK ("bill_rate" >= 0);
ALTER TABLE "position_rates" ADD CONSTRAINT "position_rates_bill_rate_check" CHECK ("bill_rate" >= 0);
ALTER TABLE "positions" ADD CONSTRAINT "positions_bill_rate_check" CHECK ("bill_rate" >= 0);
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_approved_revenue_check" CHECK ("approved_revenue" >= 0);

-- As before, and bill rates go with the rates: a changed one holds for work that starts from now on. The first one that a position gets
-- holds for all work before it as well, as nothing was known of that.
CREATE OR REPLACE FUNCTION keep_former_rate() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment CONSTANT TIMESTAMPTZ := coalesce(nullif(current_setting('callboard.now', TRUE), '')::timestamptz, clock_timestamp());
  held RECORD;
  rate NUMERIC;
  unit "PayUnit";
  announced TEXT;
  begins TIMESTAMPTZ;
  is_same CONSTANT BOOLEAN := OLD.default_pay_rate = NEW.default_pay_rate AND OLD.pay_unit = NEW.pay_unit;
BEGIN
  SELECT coalesce(former.pay_rate, OLD.default_pay_rate) AS pay_rate, coalesce(former.pay_unit, OLD.pay_unit) AS pay_unit INTO held
    FROM (SELECT 1) AS one
    LEFT JOIN LATERAL (
         SELECT r.pay_rate, r.pay_unit FROM position_rates r
          WHERE r.business_id = OLD.business_id AND r.position_id = OLD.id AND r.ends_at > moment
          ORDER BY r.ends_at LIMIT 1) AS former ON TRUE;
  IF is_same THEN
    NEW.default_pay_rate := held.pay_rate;
    NEW.pay_unit := held.pay_unit;
  END IF;
  DELETE FROM position_rates r WHERE r.business_id = OLD.business_id AND r.position_id = OLD.id AND r.ends_at > moment;
  IF held.pay_rate <> NEW.default_pay_rate OR held.pay_unit <> NEW.pay_unit
     OR (OLD.bill_rate IS NOT NULL AND (OLD.bill_rate, OLD.bill_unit) IS DISTINCT FROM (NEW.bill_rate, NEW.bill_unit)) THEN
    INSERT INTO position_rates (business_id, position_id, ends_at, pay_rate, pay_unit, bill_rate, bill_unit)
    VALUES (OLD.business_id, OLD.id, moment, held.pay_rate, held.pay_unit, OLD.bill_rate, OLD.bill_unit) ON CONFLICT DO NOTHING;
  END IF;
  UPDATE position_rates r SET bill_rate = NEW.bill_rate, bill_unit = NEW.bill_unit
   WHERE OLD.bill_rate IS NULL AND NEW.bill_rate IS NOT NULL
     AND r.business_id = OLD.business_id AND r.position_id = OLD.id AND r.bill_rate IS NULL;
  rate := NEW.default_pay_rate;
  unit := NEW.pay_unit;
  FOREACH announced IN ARRAY NEW.announced_rates LOOP
    -- A day that has come meanwhile begins now.
    begins := greatest(split_part(announced, ' ', 1)::timestamptz, moment + interval '1 microsecond');
    INSERT INTO position_rates (business_id, position_id, ends_at, pay_rate, pay_unit, bill_rate, bill_unit)
    VALUES (OLD.business_id, OLD.id, begins, rate, unit, NEW.bill_rate, NEW.bill_unit);
    rate := split_part(announced, ' ', 2)::numeric;
    unit := split_part(announced, ' ', 3)::"PayUnit";
  END LOOP;
  IF cardinality(NEW.announced_rates) > 0 THEN
    INSERT INTO position_rates (business_id, position_id, ends_at, pay_rate, pay_unit, bill_rate, bill_unit)
    VALUES (OLD.business_id, OLD.id, '9999-12-31 00:00Z', rate, unit, NEW.bill_rate, NEW.bill_unit);
  END IF;
  NEW.rate_version := OLD.rate_version + 1;
  RETURN NEW;
END
$$;

-- As src/db/registry.ts asks for it.
CREATE OR REPLACE TRIGGER former_rate BEFORE UPDATE ON "positions" FOR EACH ROW WHEN (OLD.default_pay_rate <> NEW.default_pay_rate OR OLD.pay_unit <> NEW.pay_unit OR OLD.announced_rates <> NEW.announced_rates OR OLD.bill_rate IS DISTINCT FROM NEW.bill_rate OR OLD.bill_unit <> NEW.bill_unit) EXECUTE FUNCTION keep_former_rate();

-- As before, with the revenue of shifts: by the bill rate of their call time, else the one that their position had at the start; and the
-- margin, where the price is known too. src/db/pay.ts says the same.
CREATE OR REPLACE VIEW "counted_staffing" AS
SELECT business_id, event_id, position_id, sum(needed)::int AS needed, sum(assigned)::int AS assigned, sum(confirmed)::int AS confirmed,
       sum(least(needed, assigned))::int AS filled, sum(shifts)::int AS shifts, coalesce(sum(price) FILTER (WHERE shifts > 0), 0) AS planned_cents,
       coalesce(sum(price) FILTER (WHERE is_confirmed), 0) AS confirmed_cents,
       coalesce(sum((needed - assigned) * price::numeric) FILTER (WHERE needed > assigned), 0) AS open_cents,
       (count(*) FILTER (WHERE shifts > 0 AND price IS NULL))::int AS unpriced_shifts,
       coalesce(sum(needed - assigned) FILTER (WHERE needed > assigned AND price IS NULL), 0)::int AS unpriced_open,
       default_pay_rate AS priced_rate, position_unit AS priced_unit, rate_version AS priced_version,
       count(revenue)::int AS billed_shifts, coalesce(sum(revenue), 0) AS planned_revenue_cents,
       coalesce(sum(revenue) FILTER (WHERE is_confirmed), 0) AS confirmed_revenue_cents,
       coalesce(sum(revenue - price), 0) AS planned_margin_cents,
       coalesce(sum(revenue - price) FILTER (WHERE is_confirmed), 0) AS confirmed_margin_cents
  FROM (SELECT c.business_id, c.event_id, c.position_id, p.default_pay_rate, p.pay_unit AS position_unit, p.rate_version, c.staff_needed AS needed,
               coalesce(a.assigned, 0) AS assigned, coalesce(a.confirmed, 0) AS confirmed, 0 AS shifts, FALSE AS is_confirmed,
               price_work(coalesce(c.pay_rate, former.pay_rate, p.default_pay_rate),
                          CASE WHEN c.pay_rate IS NOT NULL THEN c.pay_unit ELSE coalesce(former.pay_unit, p.pay_unit) END,
                          CASE WHEN NOT c.start_tbd THEN c.starts_at END, CASE WHEN NOT c.end_tbd THEN c.ends_at END,
                          CASE WHEN NOT c.start_tbd THEN c.start_local END, CASE WHEN NOT c.end_tbd THEN c.end_local END) AS price,
               NULL::bigint AS revenue
          FROM call_times c
          JOIN positions p ON p.business_id = c.business_id AND p.id = c.position_id
          LEFT JOIN LATERAL (
               SELECT r.pay_rate, r.pay_unit FROM position_rates r
                WHERE p.rate_version > 1 AND r.business_id = p.business_id AND r.position_id = p.id AND r.ends_at > c.starts_at
                ORDER BY r.ends_at LIMIT 1) AS former ON TRUE
          LEFT JOIN (SELECT business_id, event_id, call_time_id, count(*) AS assigned, count(*) FILTER (WHERE confirmed) AS confirmed
                       FROM work_shifts WHERE status = 'active' GROUP BY business_id, event_id, call_time_id) AS a
            ON a.business_id = c.business_id AND a.event_id = c.event_id AND a.call_time_id = c.id
        UNION ALL
        SELECT s.business_id, s.event_id, s.position_id, p.default_pay_rate, p.pay_unit, p.rate_version, 0, 0, 0, 1, s.confirmed,
               price_work(coalesce(s.pay_rate, t.pay_rate, former.pay_rate, p.default_pay_rate),
                          CASE WHEN s.pay_rate IS NOT NULL THEN s.pay_unit WHEN t.pay_rate IS NOT NULL THEN t.pay_unit
                               ELSE coalesce(former.pay_unit, p.pay_unit) END,
                          s.starts_at, s.ends_at, s.start_local, s.end_local),
               price_work(coalesce(t.bill_rate, former.bill_rate, p.bill_rate),
                          CASE WHEN t.bill_rate IS NOT NULL THEN t.bill_unit WHEN former.bill_rate IS NOT NULL THEN former.bill_unit
                               ELSE p.bill_unit END,
                          s.starts_at, s.ends_at, s.start_local, s.end_local)
          FROM work_shifts s
          JOIN positions p ON p.business_id = s.business_id AND p.id = s.position_id
          LEFT JOIN call_times t ON t.business_id = s.business_id AND t.event_id = s.event_id AND t.id = s.call_time_id
          LEFT JOIN LATERAL (
               SELECT r.pay_rate, r.pay_unit, r.bill_rate, r.bill_unit FROM position_rates r
                WHERE p.rate_version > 1 AND r.business_id = p.business_id AND r.position_id = p.id
                  AND r.ends_at > coalesce(s.starts_at, t.starts_at, (
                      SELECT e.starts_at FROM events e WHERE e.business_id = s.business_id AND e.id = s.event_id))
                ORDER BY r.ends_at LIMIT 1) AS former ON TRUE
         WHERE s.status = 'active') AS work
 GROUP BY business_id, event_id, position_id, default_pay_rate, position_unit, rate_version;

-- As before, with revenue and margin.
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
                planned_cents, confirmed_cents, open_cents, unpriced_shifts, unpriced_open, priced_rate, priced_unit, priced_version,
                billed_shifts, planned_revenue_cents, confirmed_revenue_cents, planned_margin_cents, confirmed_margin_cents)
         SELECT business_id, event_id, position_id, needed, assigned, confirmed, filled, shifts,
                planned_cents, confirmed_cents, open_cents, unpriced_shifts, unpriced_open, priced_rate, priced_unit, priced_version,
                billed_shifts, planned_revenue_cents, confirmed_revenue_cents, planned_margin_cents, confirmed_margin_cents FROM counted
             ON CONFLICT (business_id, event_id, position_id) DO UPDATE
            SET (needed, assigned, confirmed, filled, shifts, planned_cents, confirmed_cents, open_cents, unpriced_shifts,
                 unpriced_open, priced_rate, priced_unit, priced_version,
                 billed_shifts, planned_revenue_cents, confirmed_revenue_cents, planned_margin_cents, confirmed_margin_cents)
              = (excluded.needed, excluded.assigned, excluded.confirmed, excluded.filled, excluded.shifts, excluded.planned_cents,
                 excluded.confirmed_cents, excluded.open_cents, excluded.unpriced_shifts, excluded.unpriced_open,
                 excluded.priced_rate, excluded.priced_unit, excluded.priced_version,
                 excluded.billed_shifts, excluded.planned_revenue_cents, excluded.confirmed_revenue_cents, excluded.planned_margin_cents, excluded.confirmed_margin_cents)
          WHERE t.* IS DISTINCT FROM excluded.*)
  UPDATE event_staffing AS t
     SET (needed, assigned, confirmed, filled, shifts, unpriced_shifts, unpriced_open, planned_cents, confirmed_cents, open_cents,
          billed_shifts, planned_revenue_cents, confirmed_revenue_cents, planned_margin_cents, confirmed_margin_cents)
       = (n.needed, n.assigned, n.confirmed, n.filled, n.shifts, n.unpriced_shifts, n.unpriced_open, n.planned_cents, n.confirmed_cents,
          n.open_cents, n.billed_shifts, n.planned_revenue_cents, n.confirmed_revenue_cents, n.planned_margin_cents, n.confirmed_margin_cents)
    FROM (SELECT coalesce(sum(needed), 0) AS needed, coalesce(sum(assigned), 0) AS assigned,
                 coalesce(sum(confirmed), 0) AS confirmed, coalesce(sum(filled), 0) AS filled, coalesce(sum(shifts), 0) AS shifts,
                 coalesce(sum(unpriced_shifts), 0) AS unpriced_shifts, coalesce(sum(unpriced_open), 0) AS unpriced_open,
                 coalesce(sum(planned_cents), 0) AS planned_cents, coalesce(sum(confirmed_cents), 0) AS confirmed_cents,
                 coalesce(sum(open_cents), 0) AS open_cents,
                 coalesce(sum(billed_shifts), 0) AS billed_shifts,
                 coalesce(sum(planned_revenue_cents), 0) AS planned_revenue_cents,
                 coalesce(sum(confirmed_revenue_cents), 0) AS confirmed_revenue_cents,
                 coalesce(sum(planned_margin_cents), 0) AS planned_margin_cents,
                 coalesce(sum(confirmed_margin_cents), 0) AS confirmed_margin_cents FROM counted) AS n
   WHERE t.business_id = business AND t.event_id = event
     AND (t.needed, t.assigned, t.confirmed, t.filled, t.shifts, t.unpriced_shifts, t.unpriced_open, t.planned_cents, t.confirmed_cents,
          t.open_cents, t.billed_shifts, t.planned_revenue_cents, t.confirmed_revenue_cents, t.planned_margin_cents, t.confirmed_margin_cents)
         IS DISTINCT FROM
         (n.needed, n.assigned, n.confirmed, n.filled, n.shifts, n.unpriced_shifts, n.unpriced_open, n.planned_cents, n.confirmed_cents,
          n.open_cents, n.billed_shifts, n.planned_revenue_cents, n.confirmed_revenue_cents, n.planned_margin_cents, n.confirmed_margin_cents);
END
$$;

CREATE OR REPLACE FUNCTION count_staffing_of_changed_call_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_staffing(business_id, event_id)
     FROM (SELECT DISTINCT business_id, event_id
             FROM (SELECT business_id, event_id, id, position_id, staff_needed, pay_rate, pay_unit, bill_rate, bill_unit, starts_at, start_local, start_tbd, ends_at, end_local, end_tbd FROM removed
                   UNION ALL
                   SELECT business_id, event_id, id, position_id, staff_needed, pay_rate, pay_unit, bill_rate, bill_unit, starts_at, start_local, start_tbd, ends_at, end_local, end_tbd FROM added) AS both_sides
            GROUP BY business_id, event_id, id, position_id, staff_needed, pay_rate, pay_unit, bill_rate, bill_unit, starts_at, start_local, start_tbd, ends_at, end_local, end_tbd HAVING count(*) = 1
            ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;
