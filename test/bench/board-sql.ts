const local = (column: string) => `to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')`;
const stamp = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** The items of the REST list as JSON in one statement. $1: business, $2: how many events, $3: the earliest start. */
export const boardSql = `
SELECT coalesce(json_agg(item), '[]')::text FROM (
  SELECT e.uuid, coalesce(e.resource_id, '') AS resource_id, e.title, coalesce(e.description, '') AS description,
         coalesce(e.private_notes, '') AS private_notes, coalesce(e.dress_code, '') AS dress_code,
         ${local('e.start_local')} AS start_date_time, e.start_tbd::text AS start_time_tbd,
         ${local('e.end_local')} AS end_date_time, e.end_tbd::text AS end_time_tbd,
         coalesce(e.address, '') AS address, coalesce(e.address_line_2, '') AS address_line_2, coalesce(e.room, '') AS room,
         coalesce(e.city, '') AS city, coalesce(e.state, '') AS state, coalesce(e.zip, '') AS zip,
         coalesce(e.latitude, '') AS latitude, coalesce(e.longitude, '') AS longitude, e.status,
         ${stamp('e.created_at')} AS created_at, ${stamp('e.modified_at')} AS modified_at,
         (SELECT coalesce(json_agg(row_to_json(c)), '[]') FROM (
            SELECT c.uuid, p.title AS position, c.staff_needed AS staff_needed_count,
                   ${local('c.start_local')} AS start_time, c.start_tbd::text AS start_time_tbd,
                   ${local('c.end_local')} AS end_time, c.end_tbd::text AS end_time_tbd,
                   coalesce(c.notes_for_staff, '') AS notes_for_staff, initcap(c.pay_unit::text) AS payrate_unit,
                   coalesce(c.pay_rate, p.default_pay_rate) AS payrate, coalesce(c.dress_code, '') AS dress_code
              FROM call_times c JOIN positions p ON p.business_id = c.business_id AND p.id = c.position_id
             WHERE c.business_id = e.business_id AND c.event_id = e.id
             ORDER BY c.starts_at, c.id) AS c) AS call_times,
         (SELECT coalesce(json_agg(row_to_json(s)), '[]') FROM (
            SELECT s.uuid, p.title AS position, u.first_name, u.last_name,
                   ${local('s.start_local')} AS start_time, (s.start_local IS NULL)::text AS start_time_tbd,
                   ${local('s.end_local')} AS end_time, (s.end_local IS NULL)::text AS end_time_tbd, s.pay_rate,
                   CASE WHEN s.confirmed THEN 'yes' ELSE 'no' END AS confirmed, s.status,
                   ${stamp('s.created_at')} AS created_at, ${stamp('s.modified_at')} AS modified_at
              FROM work_shifts s JOIN positions p ON p.business_id = s.business_id AND p.id = s.position_id
              JOIN users u ON u.business_id = s.business_id AND u.id = s.user_id
             WHERE s.business_id = e.business_id AND s.event_id = e.id AND s.status = 'active'
             ORDER BY s.starts_at, s.id) AS s) AS work_shifts,
         (SELECT coalesce(json_agg(row_to_json(v)), '[]') FROM (
            SELECT f.uuid AS field_uuid, f.name AS field_name, v.value AS field_value
              FROM custom_field_values v JOIN custom_fields f ON f.business_id = v.business_id AND f.id = v.custom_field_id
             WHERE v.business_id = e.business_id AND v.event_id = e.id
             ORDER BY f.sort, f.id) AS v) AS custom_fields
    FROM (SELECT * FROM events
           WHERE business_id = $1 AND status = 'active' AND starts_at >= $3
           ORDER BY starts_at, id LIMIT $2) AS e
   ORDER BY e.starts_at, e.id) AS item`;
