import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { watchDisk } from '../src/db/engine/disk-watch.ts';
import { isDiskFull } from '../src/db/engine/failures.ts';
import { limits } from '../src/config/limits.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

let service: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  service = await startApp();
  tenant = await service.createTenant();
  // The database says that its disk is full, as it does when it cannot extend a table.
  await service.prisma.$executeRawUnsafe(`
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF new.title = 'No room' THEN
        RAISE EXCEPTION 'could not extend file "base/5/16385": No space left on device' USING ERRCODE = 'disk_full';
      END IF;
      RETURN new;
    END $$`);
  await service.prisma.$executeRawUnsafe(
    'CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON events FOR EACH ROW EXECUTE FUNCTION no_room()',
  );
});

afterAll(async () => {
  await service.prisma.$executeRawUnsafe('DROP TRIGGER no_room ON events');
  await service.prisma.$executeRawUnsafe('DROP FUNCTION no_room()');
  await service.close();
});

const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };
const input = `startTime: "2027-05-01 10:00:00", endTime: "2027-05-01 12:00:00", timezone: "Europe/London"`;
const told = { code: 'UNAVAILABLE', message: 'Nothing can be stored at the moment: a disk of the service is full.' };

test('a write that finds the disk full is answered with 503 and the cause, in both dialects', async () => {
  const { as } = tenant;
  const created = await service.call('POST', '/v1/events', { as: as.admin, body: { title: 'No room', ...times } });
  expect(created).toMatchObject({ status: 503, body: told });
  expect(created.headers['retry-after']).toBe(String(limits.busyRetryS));
  const event = await service.createEvent(tenant.business);
  const changed = await service.call('PUT', `/v1/events/${event.uuid}`, { as: as.key, body: { title: 'No room' } });
  expect(changed).toMatchObject({ status: 503, body: told });
  const { body } = await service.graphql(`mutation { createEvent(input: { title: "No room", ${input} }) { uuid } }`, {
    as: as.admin,
  });
  expect(body.errors).toMatchObject([{ message: told.message, extensions: { code: told.code } }]);
  expect((await service.call('GET', '/v1/events', { as: as.admin })).status).toBe(200);
});

test('/readyz asks the disk after such a write, and is ready as soon as there is room', async () => {
  await service.call('POST', '/v1/events', { as: tenant.as.admin, body: { title: 'No room', ...times } });
  expect(await service.app.database.isDiskFull()).toBe(false);
  expect((await service.call('GET', '/readyz')).status).toBe(200);
});

test('a title that reads like the error is no such error', async () => {
  const title = 'No space left on device';
  await service.createPosition(tenant.business, { title });
  const { body } = await service.graphql(
    `mutation { createPosition(input: { title: "${title}", defaultPayRate: "1" }) { id } }`,
    { as: tenant.as.admin },
  );
  expect(body.errors[0].extensions.code).toBe('CONFLICT');
});

test('the watch tries whether there is room only after a write has failed, and until there is', async () => {
  let tries = 0;
  let isRoom = false;
  const noRoom = Object.assign(new Error('write'), { code: 'ENOSPC' });
  const watch = watchDisk(async () => {
    tries++;
    if (!isRoom) throw noRoom;
  });
  expect([await watch.isFull(), tries]).toEqual([false, 0]);
  watch.failed(new Error('Query read timeout'));
  expect([await watch.isFull(), tries]).toEqual([false, 0]);
  watch.failed(noRoom);
  expect([await watch.isFull(), tries]).toEqual([true, 1]);
  expect(await watch.isFull()).toBe(true);
  isRoom = true;
  while (await watch.isFull()) await wait(50);
  const triesBefore = tries;
  expect([await watch.isFull(), tries]).toEqual([false, triesBefore]);
});

test.each<[string, unknown, boolean]>([
  ['of Node', Object.assign(new Error('write'), { code: 'ENOSPC' }), true],
  ['of a quota', Object.assign(new Error('write'), { code: 'EDQUOT' }), true],
  ['of the file system in WebAssembly', { name: 'ErrnoError', errno: 51 }, true],
  ['of a database that stopped', new Error('PGlite is closed: could not write: No space left on device'), true],
  ['with such a cause', new Error('stopped', { cause: Object.assign(new Error(), { code: 'ENOSPC' }) }), true],
  ['of another number', { name: 'ErrnoError', errno: 44 }, false],
  ['of another kind', new Error('Query read timeout'), false],
  ['that is none', undefined, false],
])('an error %s', (_, error, isFull) => {
  expect(isDiskFull(error)).toBe(isFull);
});
