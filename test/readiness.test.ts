import { expect, test } from '@jest/globals';
import { useService } from './support/app.ts';

const service = useService();
test('a process that meets the schema of a later version is not ready, and says so', async () => {
  expect((await service.call('GET', '/readyz')).status).toBe(200);
  await service.prisma.$executeRaw`
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
    VALUES ('later', 'none', '29990101000000_later', now(), 1)`;
  const { status, body, headers } = await service.call('GET', '/readyz');
  expect({ status, code: body.code, message: body.message, wait: headers['retry-after'] }).toEqual({
    status: 503,
    code: 'UNAVAILABLE',
    message: 'The database schema is of a later version: it has the migration 29990101000000_later.',
    wait: '2',
  });
  expect((await service.call('GET', '/healthz')).status).toBe(200);
});

test('what is later and was rolled back does not count', async () => {
  await service.prisma.$executeRaw`
    UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '29990101000000_later'`;
  expect((await service.call('GET', '/readyz')).status).toBe(200);
});
