import fc, { type Arbitrary } from 'fast-check';
import { EventStatus } from '../../src/generated/prisma/enums.ts';

/* Changes of events as SQL, and what the database then says of their number. */

const status = fc.constantFrom(...Object.values(EventStatus));
const number = fc.integer({ min: 1, max: 5 });

/** Statements that change events of one title in one business, a few at a time or all. */
export const eventChange = (businessId: number, title: string): Arbitrary<string> => {
  const those = `business_id = ${businessId} AND title = '${title}'`;
  return fc.oneof(
    fc.tuple(status, number).map(
      ([given, count]) => `
        INSERT INTO events (business_id, title, status, start_local, starts_at, end_local, ends_at, timezone)
        SELECT ${businessId}, '${title}', '${given}', '2026-12-05 18:00', '2026-12-05 18:00Z', '2026-12-05 23:00',
               '2026-12-05 23:00Z', 'UTC'
          FROM generate_series(1, ${count})`,
    ),
    fc
      .tuple(status, number)
      .map(([given, nth]) => `UPDATE events SET status = '${given}' WHERE ${those} AND id % ${nth} = 0`),
    fc.constant(
      `UPDATE events SET status = CASE status WHEN 'active' THEN 'draft' ELSE 'active' END::"EventStatus" WHERE ${those}`,
    ),
    fc.constant(`UPDATE events SET room = 'Attic' WHERE ${those}`),
    number.map((nth) => `DELETE FROM events WHERE ${those} AND id % ${nth} = 0`),
  );
};

/** Both numbers by status of one snapshot. */
export interface Numbers {
  readonly counted: Record<string, number> | null;
  readonly tallied: Record<string, number> | null;
}

export const numbersOf = (businessId: number): string => `
  SELECT (SELECT jsonb_object_agg(status, total)
            FROM (SELECT status, count(*) AS total FROM events WHERE business_id = ${businessId} GROUP BY status) AS c) AS counted,
         (SELECT jsonb_object_agg(status, total)
            FROM (SELECT status, sum(delta) AS total FROM event_tallies WHERE business_id = ${businessId} GROUP BY status
                  HAVING sum(delta) <> 0) AS t) AS tallied`;
