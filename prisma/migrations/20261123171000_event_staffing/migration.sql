-- CreateTable
CREATE TABLE "event_staffing" (
    "business_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "needed" INTEGER NOT NULL,
    "assigned" INTEGER NOT NULL,
    "confirmed" INTEGER NOT NULL,
    "filled" INTEGER NOT NULL,

    CONSTRAINT "event_staffing_pkey" PRIMARY KEY ("business_id","event_id")
);

-- AddForeignKey
ALTER TABLE "event_staffing" ADD CONSTRAINT "event_staffing_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "event_staffing" ADD CONSTRAINT "event_staffing_business_id_event_id_fkey" FOREIGN KEY ("business_id", "event_id") REFERENCES "events"("business_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

ALTER TABLE "event_staffing" ADD CONSTRAINT "event_staffing_check"
  CHECK ("filled" BETWEEN 0 AND "needed" AND "filled" <= "assigned" AND "confirmed" BETWEEN 0 AND "assigned");

-- The row is locked first and counted then, with a snapshot that shows what the holder of the lock before has committed: so
-- no change of two at once is lost. The plan of the first call is kept, and a small table is read whole at first.
CREATE FUNCTION count_staffing(business INTEGER, event INTEGER) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM event_staffing WHERE business_id = business AND event_id = event FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    INSERT INTO event_staffing AS t (business_id, event_id, needed, assigned, confirmed, filled)
    SELECT business, event, 0, 0, 0, 0
     WHERE EXISTS (SELECT 1 FROM call_times c WHERE c.business_id = business AND c.event_id = event)
        ON CONFLICT (business_id, event_id) DO UPDATE SET needed = t.needed;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  UPDATE event_staffing AS t
     SET needed = n.needed, assigned = n.assigned, confirmed = n.confirmed, filled = n.filled
    FROM (SELECT coalesce(sum(c.staff_needed), 0) AS needed, coalesce(sum(s.assigned), 0) AS assigned,
                 coalesce(sum(s.confirmed), 0) AS confirmed, coalesce(sum(least(c.staff_needed, coalesce(s.assigned, 0))), 0) AS filled
            FROM call_times c
            LEFT JOIN (SELECT call_time_id, count(*) AS assigned, count(*) FILTER (WHERE confirmed) AS confirmed
                         FROM work_shifts
                        WHERE business_id = business AND event_id = event AND status = 'active'
                        GROUP BY call_time_id) AS s ON s.call_time_id = c.id
           WHERE c.business_id = business AND c.event_id = event) AS n
   WHERE t.business_id = business AND t.event_id = event
     AND (t.needed, t.assigned, t.confirmed, t.filled) IS DISTINCT FROM (n.needed, n.assigned, n.confirmed, n.filled);
END
$$;

-- Events are counted in the order of their ids, so that two writers of several cannot wait for each other.
CREATE FUNCTION count_staffing_of_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_staffing(business_id, event_id) FROM (SELECT DISTINCT business_id, event_id FROM added ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_staffing_of_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_staffing(business_id, event_id) FROM (SELECT DISTINCT business_id, event_id FROM removed ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;

-- A row of which nothing is counted that has changed is in both tables alike.
CREATE FUNCTION count_staffing_of_changed_call_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_staffing(business_id, event_id)
     FROM (SELECT DISTINCT business_id, event_id
             FROM (SELECT business_id, event_id, id, staff_needed FROM removed
                   UNION ALL SELECT business_id, event_id, id, staff_needed FROM added) AS both_sides
            GROUP BY business_id, event_id, id, staff_needed HAVING count(*) = 1
            ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_staffing_of_changed_work_shifts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_staffing(business_id, event_id)
     FROM (SELECT DISTINCT business_id, event_id
             FROM (SELECT business_id, event_id, id, call_time_id, status, confirmed FROM removed
                   UNION ALL SELECT business_id, event_id, id, call_time_id, status, confirmed FROM added) AS both_sides
            GROUP BY business_id, event_id, id, call_time_id, status, confirmed HAVING count(*) = 1
            ORDER BY 1, 2) AS events;
  RETURN NULL;
END
$$;

-- Triggers and length checks, as src/db/registry.ts asks for them. They keep writers out until the rows there are were counted.
CREATE TRIGGER staffing_added AFTER INSERT ON "call_times" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_staffing_of_added();
CREATE TRIGGER staffing_removed AFTER DELETE ON "call_times" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_staffing_of_removed();
CREATE TRIGGER staffing_changed AFTER UPDATE ON "call_times" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_staffing_of_changed_call_times();
CREATE TRIGGER staffing_added AFTER INSERT ON "work_shifts" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_staffing_of_added();
CREATE TRIGGER staffing_removed AFTER DELETE ON "work_shifts" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_staffing_of_removed();
CREATE TRIGGER staffing_changed AFTER UPDATE ON "work_shifts" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_staffing_of_changed_work_shifts();

INSERT INTO event_staffing (business_id, event_id, needed, assigned, confirmed, filled)
SELECT c.business_id, c.event_id, sum(c.staff_needed), coalesce(sum(s.assigned), 0), coalesce(sum(s.confirmed), 0),
       sum(least(c.staff_needed, coalesce(s.assigned, 0)))
  FROM call_times c
  LEFT JOIN (SELECT business_id, call_time_id, count(*) AS assigned, count(*) FILTER (WHERE confirmed) AS confirmed
               FROM work_shifts WHERE status = 'active' GROUP BY business_id, call_time_id) AS s
    ON s.business_id = c.business_id AND s.call_time_id = c.id
 GROUP BY c.business_id, c.event_id;

-- The filled share in millionths; null where nobody is needed. The index is not partial, because the planner knows no statistics of
-- the expression of a partial one. Prisma has no words for an index of an expression.
CREATE INDEX "event_staffing_business_id_share_idx" ON "event_staffing"("business_id", ("filled"::bigint * 1000000 / nullif("needed", 0)));
