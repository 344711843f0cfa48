-- As before, by the rate of the day on which a shift is while its start is to be determined. src/db/place-times.ts says the same.
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
                  AND r.ends_at > coalesce(s.starts_at, least(t.starts_at, s.ends_at), (
                      SELECT e.starts_at FROM events e WHERE e.business_id = s.business_id AND e.id = s.event_id))
                ORDER BY r.ends_at LIMIT 1) AS former ON TRUE
         WHERE s.status = 'active') AS work
 GROUP BY business_id, event_id, position_id, default_pay_rate, position_unit, rate_version;
