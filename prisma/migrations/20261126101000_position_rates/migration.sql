-- AlterTable
ALTER TABLE "positions" ADD COLUMN     "rate_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "position_staffing" ADD COLUMN     "priced_version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "work_shifts" ADD COLUMN     "pay_unit" "PayUnit";

-- CreateTable
CREATE TABLE "position_rates" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "position_id" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(6) NOT NULL,
    "pay_rate" DECIMAL(12,2) NOT NULL,
    "pay_unit" "PayUnit" NOT NULL,

    CONSTRAINT "position_rates_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "position_rates_business_id_position_id_ends_at_key" ON "position_rates"("business_id", "position_id", "ends_at");

-- AddForeignKey
ALTER TABLE "position_rates" ADD CONSTRAINT "position_rates_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "position_rates" ADD CONSTRAINT "position_rates_business_id_position_id_fkey" FOREIGN KEY ("business_id", "position_id") REFERENCES "positions"("business_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- No trigger runs, because to callers nothing changes: an own rate that is there already keeps the unit of its position, and a call
-- time with a unit of its own, but without a rate, keeps the rate of its position.
ALTER TABLE "work_shifts" DISABLE TRIGGER USER;
UPDATE "work_shifts" AS s SET pay_unit = p.pay_unit
  FROM "positions" p WHERE p.business_id = s.business_id AND p.id = s.position_id AND s.pay_rate IS NOT NULL;
ALTER TABLE "work_shifts" ENABLE TRIGGER USER;
ALTER TABLE "call_times" DISABLE TRIGGER USER;
UPDATE "call_times" AS c SET pay_rate = p.default_pay_rate
  FROM "positions" p WHERE p.business_id = c.business_id AND p.id = c.position_id AND c.pay_rate IS NULL AND c.pay_unit <> p.pay_unit;
ALTER TABLE "call_times" ENABLE TRIGGER USER;

-- A position's rate holds until another one takes its place. The row of the position is locked here, so the ends are in the order of
-- the changes; they are later than those before them, whatever the clocks say.
CREATE FUNCTION keep_former_rate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO position_rates (business_id, position_id, ends_at, pay_rate, pay_unit)
  SELECT OLD.business_id, OLD.id,
         greatest(coalesce(nullif(current_setting('callboard.now', TRUE), '')::timestamptz, clock_timestamp()),
                  max(r.ends_at) + interval '1 microsecond'),
         OLD.default_pay_rate, OLD.pay_unit
    FROM position_rates r WHERE r.business_id = OLD.business_id AND r.position_id = OLD.id;
  NEW.rate_version := OLD.rate_version + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER former_rate BEFORE UPDATE ON "positions" FOR EACH ROW WHEN (OLD.default_pay_rate <> NEW.default_pay_rate OR OLD.pay_unit <> NEW.pay_unit) EXECUTE FUNCTION keep_former_rate();

-- A shift's own rate has the unit that it was set with: unless one was named, the unit that holds without the rate.
CREATE FUNCTION keep_pay_unit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.pay_rate IS NULL THEN
    NEW.pay_unit := NULL;
    RETURN NEW;
  END IF;
  SELECT CASE WHEN t.pay_rate IS NOT NULL THEN t.pay_unit ELSE coalesce(former.pay_unit, p.pay_unit) END INTO NEW.pay_unit
    FROM positions p
    LEFT JOIN call_times t ON t.business_id = p.business_id AND t.event_id = NEW.event_id AND t.id = NEW.call_time_id
    LEFT JOIN events e ON e.business_id = p.business_id AND e.id = NEW.event_id
    LEFT JOIN LATERAL (
         SELECT r.pay_unit FROM position_rates r
          WHERE r.business_id = p.business_id AND r.position_id = p.id
            AND r.ends_at > coalesce(NEW.starts_at, t.starts_at, e.starts_at)
          ORDER BY r.ends_at LIMIT 1) AS former ON TRUE
   WHERE p.business_id = NEW.business_id AND p.id = NEW.position_id;
  RETURN NEW;
END
$$;
CREATE TRIGGER keep_pay_unit BEFORE INSERT OR UPDATE ON "work_shifts" FOR EACH ROW WHEN ((NEW.pay_rate IS NULL) <> (NEW.pay_unit IS NULL)) EXECUTE FUNCTION keep_pay_unit();

-- A call time without a rate has the rate and the unit of its position. One that is given a unit which the position never had keeps
-- this unit, with the rate of the position. Hours, the default of the column, say nothing.
CREATE FUNCTION keep_own_unit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT coalesce(former.pay_rate, p.default_pay_rate) INTO NEW.pay_rate
    FROM positions p
    LEFT JOIN LATERAL (
         SELECT r.pay_rate FROM position_rates r
          WHERE r.business_id = p.business_id AND r.position_id = p.id AND r.ends_at > NEW.starts_at
          ORDER BY r.ends_at LIMIT 1) AS former ON TRUE
   WHERE p.business_id = NEW.business_id AND p.id = NEW.position_id AND p.pay_unit <> NEW.pay_unit
     AND NOT EXISTS (SELECT 1 FROM position_rates r
                      WHERE r.business_id = p.business_id AND r.position_id = p.id AND r.pay_unit = NEW.pay_unit);
  RETURN NEW;
END
$$;
CREATE TRIGGER keep_own_unit BEFORE INSERT OR UPDATE OF pay_unit ON "call_times" FOR EACH ROW WHEN (NEW.pay_rate IS NULL AND NEW.pay_unit <> 'hour'::"PayUnit") EXECUTE FUNCTION keep_own_unit();

-- As before, except that days are those of the wall clock: each 24 hours begun, also when the clocks change.
CREATE FUNCTION price_work(rate NUMERIC, unit "PayUnit", starts_at TIMESTAMPTZ, ends_at TIMESTAMPTZ, start_local TIMESTAMP, end_local TIMESTAMP)
RETURNS BIGINT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE unit
    WHEN 'day' THEN (rate * 100)::bigint * ((date_part('epoch', end_local - start_local)::bigint + 86399) / 86400)
    ELSE price_work(rate, unit, starts_at, ends_at) END
$$;

-- As before, except for the prices: of a shift, its own rate and unit, else those of its call time, else those that its position had at
-- the start; of an open place, those of the call time, else of the position. src/db/pay.ts says the same.
CREATE OR REPLACE VIEW "counted_staffing" AS
SELECT business_id, event_id, position_id, sum(needed)::int AS needed, sum(assigned)::int AS assigned, sum(confirmed)::int AS confirmed,
       sum(least(needed, assigned))::int AS filled, sum(shifts)::int AS shifts, coalesce(sum(price) FILTER (WHERE shifts > 0), 0) AS planned_cents,
       coalesce(sum(price) FILTER (WHERE is_confirmed), 0) AS confirmed_cents,
       coalesce(sum((needed - assigned) * price::numeric) FILTER (WHERE needed > assigned), 0) AS open_cents,
       (count(*) FILTER (WHERE shifts > 0 AND price IS NULL))::int AS unpriced_shifts,
       coalesce(sum(needed - assigned) FILTER (WHERE needed > assigned AND price IS NULL), 0)::int AS unpriced_open,
       default_pay_rate AS priced_rate, position_unit AS priced_unit, rate_version AS priced_version
  FROM (SELECT c.business_id, c.event_id, c.position_id, p.default_pay_rate, p.pay_unit AS position_unit, p.rate_version, c.staff_needed AS needed,
               coalesce(a.assigned, 0) AS assigned, coalesce(a.confirmed, 0) AS confirmed, 0 AS shifts, FALSE AS is_confirmed,
               price_work(coalesce(c.pay_rate, former.pay_rate, p.default_pay_rate),
                          CASE WHEN c.pay_rate IS NOT NULL THEN c.pay_unit ELSE coalesce(former.pay_unit, p.pay_unit) END,
                          CASE WHEN NOT c.start_tbd THEN c.starts_at END, CASE WHEN NOT c.end_tbd THEN c.ends_at END,
                          CASE WHEN NOT c.start_tbd THEN c.start_local END, CASE WHEN NOT c.end_tbd THEN c.end_local END) AS price
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
                          s.starts_at, s.ends_at, s.start_local, s.end_local)
          FROM work_shifts s
          JOIN positions p ON p.business_id = s.business_id AND p.id = s.position_id
          LEFT JOIN call_times t ON t.business_id = s.business_id AND t.event_id = s.event_id AND t.id = s.call_time_id
          LEFT JOIN LATERAL (
               SELECT r.pay_rate, r.pay_unit FROM position_rates r
                WHERE p.rate_version > 1 AND r.business_id = p.business_id AND r.position_id = p.id
                  AND r.ends_at > coalesce(s.starts_at, t.starts_at, (
                      SELECT e.starts_at FROM events e WHERE e.business_id = s.business_id AND e.id = s.event_id))
                ORDER BY r.ends_at LIMIT 1) AS former ON TRUE
         WHERE s.status = 'active') AS work
 GROUP BY business_id, event_id, position_id, default_pay_rate, position_unit, rate_version;

-- As before, with the version of the rates.
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
                planned_cents, confirmed_cents, open_cents, unpriced_shifts, unpriced_open, priced_rate, priced_unit, priced_version)
         SELECT business_id, event_id, position_id, needed, assigned, confirmed, filled, shifts,
                planned_cents, confirmed_cents, open_cents, unpriced_shifts, unpriced_open, priced_rate, priced_unit, priced_version FROM counted
             ON CONFLICT (business_id, event_id, position_id) DO UPDATE
            SET (needed, assigned, confirmed, filled, shifts, planned_cents, confirmed_cents, open_cents, unpriced_shifts,
                 unpriced_open, priced_rate, priced_unit, priced_version)
              = (excluded.needed, excluded.assigned, excluded.confirmed, excluded.filled, excluded.shifts, excluded.planned_cents,
                 excluded.confirmed_cents, excluded.open_cents, excluded.unpriced_shifts, excluded.unpriced_open,
                 excluded.priced_rate, excluded.priced_unit, excluded.priced_version)
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


-- As before, with all that prices depend on.
CREATE OR REPLACE FUNCTION count_staffing_of_changed_call_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_staffing(business_id, event_id)
     FROM (SELECT DISTINCT business_id, event_id
             FROM (SELECT business_id, event_id, id, position_id, staff_needed, pay_rate, pay_unit, starts_at, start_local, start_tbd, ends_at, end_local, end_tbd FROM removed
                   UNION ALL
                   SELECT business_id, event_id, id, position_id, staff_needed, pay_rate, pay_unit, starts_at, start_local, start_tbd, ends_at, end_local, end_tbd FROM added) AS both_sides
            GROUP BY business_id, event_id, id, position_id, staff_needed, pay_rate, pay_unit, starts_at, start_local, start_tbd, ends_at, end_local, end_tbd HAVING count(*) = 1
            ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION count_staffing_of_changed_work_shifts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_staffing(business_id, event_id)
     FROM (SELECT DISTINCT business_id, event_id
             FROM (SELECT business_id, event_id, id, call_time_id, position_id, status, confirmed, pay_rate, pay_unit, starts_at, start_local, ends_at, end_local FROM removed
                   UNION ALL
                   SELECT business_id, event_id, id, call_time_id, position_id, status, confirmed, pay_rate, pay_unit, starts_at, start_local, ends_at, end_local FROM added) AS both_sides
            GROUP BY business_id, event_id, id, call_time_id, position_id, status, confirmed, pay_rate, pay_unit, starts_at, start_local, ends_at, end_local HAVING count(*) = 1
            ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;

-- A shift without a start, and without a call time, has the rate that its position had when the event starts.
CREATE FUNCTION count_staffing_of_moved_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM work_shifts s WHERE s.business_id = NEW.business_id AND s.event_id = NEW.id
                AND s.starts_at IS NULL AND s.call_time_id IS NULL AND s.status = 'active') THEN
    PERFORM count_staffing(NEW.business_id, NEW.id);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER staffing_moved AFTER UPDATE OF starts_at ON "events" FOR EACH ROW WHEN (OLD.starts_at IS DISTINCT FROM NEW.starts_at) EXECUTE FUNCTION count_staffing_of_moved_event();

-- Triggers and settings, as src/db/registry.ts asks for them: the log leaves the version of the rates out.
CREATE OR REPLACE TRIGGER log_insert AFTER INSERT ON "positions" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_insert('{business_id,version,modified_at,updated_at,rate_version}');
CREATE OR REPLACE TRIGGER log_update AFTER UPDATE ON "positions" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_update('{business_id,version,modified_at,updated_at,rate_version}');
CREATE OR REPLACE TRIGGER log_delete AFTER DELETE ON "positions" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_delete('{business_id,version,modified_at,updated_at,rate_version}');
ALTER TABLE "position_rates" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);
