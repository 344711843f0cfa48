-- As before, but each check-in looks its shift up by id: OFFSET 0 keeps the planner from joining all shifts and call times of the
-- business first, which it expects to be few while it does not know the event.
CREATE OR REPLACE VIEW "counted_present" AS
SELECT a.business_id, a.event_id, s.position_id, count(*)::int AS present
  FROM attendance a
 CROSS JOIN LATERAL (
       SELECT c.position_id
         FROM work_shifts w
         JOIN call_times c ON c.business_id = w.business_id AND c.event_id = w.event_id AND c.id = w.call_time_id
        WHERE w.business_id = a.business_id AND w.id = a.id AND w.status = 'active' OFFSET 0) AS s
 WHERE a.checked_in_at IS NOT NULL
 GROUP BY a.business_id, a.event_id, s.position_id;
