import { expect, test } from '@jest/globals';
import pg from 'pg';
import { useOneTenant, useService } from './support/app.ts';

/*
 * A report that takes longer than a statement may: here, because another session holds what it reads. All other statements of the
 * request have to be done in time, also on a busy machine.
 */
const service = useService({ env: { CALLBOARD_DB_STATEMENT_TIMEOUT: '2000', CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);

const from = '2026-01-01T00:00:00Z';
const to = '2026-12-31T00:00:00Z';
const middle = '2026-07-02T00:00:00.000Z';

test.each([
  ['work', 'work_shifts'],
  ['coverage', 'position_staffing'],
  ['labour_cost', 'position_staffing'],
])('%s names a shorter span', async (report, table) => {
  const holder = new pg.Client({ connectionString: service.database.config().db.url! });
  await holder.connect();
  try {
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const url = `/v1/${report}?from=${from}&to=${to}&group_by=position`;
    const { status, headers, body } = await service.call('GET', url, { as: tenant.as.admin });
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 503,
      code: 'UNAVAILABLE',
      message: expect.stringContaining(`a shorter span, such as from ${new Date(from).toISOString()} to ${middle}`),
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    await holder.end();
  }
});
