import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useOneTenant, useService } from './support/app.ts';
import { callTimeChange, createStaffed, shiftChange } from './support/staffing-changes.ts';

const service = useService();
const tenant = useOneTenant(service);

/** Both numbers of one snapshot, by kind and position. */
const numbersOf = (businessId: number): string => `
  SELECT (SELECT jsonb_object_agg(kind, total)
            FROM (SELECT kind || ' of ' || position_id AS kind, count(*) AS total
                    FROM (SELECT event_id, position_id, status || CASE WHEN confirmed THEN ' confirmed' ELSE '' END AS kind
                            FROM work_shifts WHERE business_id = ${businessId}
                          UNION ALL
                          SELECT event_id, position_id, 'call_time' FROM call_times WHERE business_id = ${businessId}) AS r
                    JOIN events e ON e.business_id = ${businessId} AND e.id = r.event_id AND e.status <> 'deleted'
                   GROUP BY 1) AS c) AS counted,
         (SELECT jsonb_object_agg(kind, total)
            FROM (SELECT kind || ' of ' || position_id AS kind, sum(delta) AS total FROM list_tallies
                   WHERE business_id = ${businessId} GROUP BY 1 HAVING sum(delta) <> 0) AS t) AS tallied`;

test('the totals of lists agree with the rows of events that are not deleted, whatever is changed', async () => {
  const { prisma } = service;
  const staffed = await createStaffed(service, tenant);
  const { businessId, eventIds } = staffed;
  const status = fc
    .tuple(fc.constantFrom(...eventIds), fc.constantFrom('active', 'deleted', 'canceled'))
    .map(([id, to]) => `UPDATE events SET status = '${to}' WHERE business_id = ${businessId} AND id = ${id}`);
  const change = fc.oneof(
    { weight: 3, arbitrary: callTimeChange(staffed) },
    { weight: 4, arbitrary: shiftChange(staffed) },
    { weight: 2, arbitrary: status },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), fc.boolean(), async (changes, isUndone) => {
      await prisma
        .$transaction(async (tx) => {
          for (const sql of changes) await tx.$executeRawUnsafe(sql);
          if (isUndone) throw new Error('undone');
        })
        .catch((error: Error) => {
          if (error.message !== 'undone') throw error;
        });
      const [numbers] = await prisma.$queryRawUnsafe<{ counted: unknown; tallied: unknown }[]>(numbersOf(businessId));
      expect(numbers?.tallied).toEqual(numbers?.counted);
    }),
    { numRuns: 60 },
  );
});
