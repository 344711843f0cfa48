import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createSchema } from '../src/nouns.ts';
import { useOneTenant, useService } from './support/app.ts';
import { asker } from './support/ask.ts';
import { changeable, changes, prepareChange, storedRow, type Noun, type Rows } from './support/changes.ts';
import { creates } from './support/creates.ts';
import { useKeptRows } from './support/kept-rows.ts';
import { routeRows } from './support/matrix-rows.ts';
import { resources } from './support/resources.ts';

let rows: Rows;
const query = asker(() => service, 'query');
const mutate = asker(() => service, 'mutation');

const service = useService();
const tenant = useOneTenant(service);

useKeptRows(service, async () => {
  rows = await changeable(service, tenant);
  return [tenant.business.id];
});

const send = (name: string, version?: number) => changes[name]!.send(service, tenant.as.admin, rows, version);
const stored = (noun: Noun) => storedRow(service, rows, noun);
const versionOf = async (noun: Noun) => (await stored(noun))?.version;

describe('a change with an expected version', () => {
  test.each(Object.keys(changes))('by %s is made only to that version', async (name) => {
    const { noun, removes } = changes[name]!;
    await prepareChange(service, tenant.as.admin, rows, name);
    const version = (await versionOf(noun))!;
    const before = await stored(noun);
    for (const other of [version + 1, version - 1, 0, -1])
      expect({ other, code: await send(name, other) }).toEqual({ other, code: 'PRECONDITION_FAILED' });
    expect(await stored(noun)).toEqual(before);

    expect(await send(name, version)).toBe('OK');
    expect(await versionOf(noun)).toBe(removes ? undefined : version + 1);
    if (removes) return;
    expect(await send(name, version)).toBe('PRECONDITION_FAILED');
    expect(await versionOf(noun)).toBe(version + 1);
  });

  test('is possible with every mutation that changes or deletes one row', () => {
    const fields = Object.values(createSchema().getMutationType()!.getFields());
    const taking = fields.filter(({ args }) => args.some((arg) => arg.name === 'version')).map((field) => field.name);
    expect(taking.filter((name) => name !== 'upsertEvent').sort()).toEqual(
      Object.keys(changes)
        .filter((name) => !name.includes(' '))
        .sort(),
    );
    const verbs = /^(update|delete|set|confirm|unconfirm|decline|cancel)/;
    const without = fields.map(({ name }) => name).filter((name) => verbs.test(name) && !taking.includes(name));
    // A webhook has no version, because delivery changes its row.
    expect(without.sort()).toEqual(
      [
        // These take many rows; updateEvents takes the versions in its inputs.
        ...['cancelShifts', 'confirmShifts', 'deleteWebhookEndpoint', 'updateEvents'],
        // The link in a mail, and the settings of oneself.
        ...['setForgottenPassword', 'updateMailSettings'],
        'updateWebhookEndpoint',
      ].sort(),
    );
  });

  test('is possible with every route that changes or deletes one row, save those that the guide names', () => {
    const saved: Readonly<Record<string, RegExp>> = {
      'API keys': /^\/v1\/tokens\/business/,
      tokens: /^\/v1\/tokens\/personal/,
      sessions: /^\/v1\/sessions/,
      passwords: /^\/v1\/passwords/,
      'mail settings': /^\/v1\/mails/,
      screens: /^\/v1\/(my_)?screens?(\/|$)/,
      feeds: /^\/v1\/feeds/,
      webhooks: /^\/v1\/webhooks/,
    };
    // A claim makes a row, and the lock of a check-in is none.
    const noRow = /\/batch\/|\/claim$|\/unlock_check_in$/;
    const { paths } = service.app.http.swagger() as {
      paths: Record<string, Record<string, { parameters?: object[] }>>;
    };
    const without = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [] }]) => {
        const isChange = ['put', 'delete'].includes(method) || (method === 'post' && path.includes('/actions/'));
        return isChange && !noRow.test(path) && !JSON.stringify(parameters).includes('"If-Match"') ? [path] : [];
      }),
    );
    expect(without.filter((path) => !Object.values(saved).some((of) => of.test(path)))).toEqual([]);
    const guide = readFileSync(new URL('../src/guide/integrators.md', import.meta.url), 'utf8');
    const [, named = ''] = /changes or deletes one row supports `If-Match`, save ([^.]+)\./.exec(guide) ?? [];
    expect(named.split(/, | and /)).toEqual(Object.keys(saved));
    for (const of of Object.values(saved)) expect(without.some((path) => of.test(path))).toBe(true);
  });

  test('of an unknown row is answered as not found', async () => {
    const stranger = await service.createTenant();
    for (const [name, { send: sendTo }] of Object.entries(changes)) {
      // It is always made by the person who is asked; and everybody has a business.
      if (/take|business/i.test(name)) continue;
      const code = await sendTo(service, stranger.as.admin, rows, 1);
      expect({ name, code: code.replace('404 ', '') }).toEqual({ name, code: 'NOT_FOUND' });
    }
  });

  test('is checked after the input is validated and before the rules', async () => {
    const [position, taken] = [
      await service.createPosition(tenant.business),
      await service.createPosition(tenant.business),
    ];
    const update = (input: string) =>
      mutate(tenant.as.admin, `{ it: updatePosition(id: ${position.id}, version: 9, input: { ${input} }) { id } }`);
    expect(await update(`title: "${taken.title}"`)).toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(await update('title: ""')).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('a version', () => {
  test('is returned by GraphQL with each row', async () => {
    await send('PUT /v1/events/{uuid}');
    await send('confirmShift');
    const { it } = await query(
      tenant.as.admin,
      `{ it: event(id: "${rows.event.uuid}") { version callTimes { version } workShifts { version } } }`,
    );
    expect(it).toEqual({ version: 2, callTimes: [{ version: 1 }], workShifts: [{ version: 2 }] });
    const { it: user } = await query(tenant.as.admin, `{ it: user(id: ${rows.user.id}) { version } }`);
    expect(user).toEqual({ version: 1 });
  });

  test('is returned as it is after the change', async () => {
    const written: Record<string, string> = {
      confirmShift: `(id: "${rows.workShift.uuid}")`,
      cancelShift: `(id: "${rows.workShift.uuid}")`,
      updateEvent: `(id: "${rows.event.uuid}", input: { room: "Annex" })`,
      updateCallTime: `(id: "${rows.callTime.uuid}", input: { dressCode: "Black" })`,
      updateShift: `(id: "${rows.workShift.uuid}", input: { payRate: "30" })`,
      ...Object.fromEntries(
        resources.map(({ model, noun, name }) => [
          `update${model}`,
          `(id: ${rows[noun].id}, input: { ${name}: "Other" })`,
        ]),
      ),
      updateCustomField: `(id: "${rows.customField.uuid}", input: { sort: 3 })`,
      updateUser: `(id: ${rows.user.id}, input: { name: "Another Name" })`,
    };
    const payloads: Record<string, string> = { updateEvent: 'event', updateCallTime: 'callTime', updateShift: 'shift' };
    for (const [field, args] of Object.entries(written)) {
      const payload = payloads[field];
      const { it } = await mutate(
        tenant.as.admin,
        `{ it: ${field}${args} { ${payload ? `${payload} { version }` : 'version'} } }`,
      );
      const { version } = payload ? it[payload] : it;
      expect({ field, version }).toEqual({ field, version: await versionOf(changes[field]!.noun) });
    }
  });

  test('of a copy starts at 1', async () => {
    for (const name of ['updateEvent', 'updateCallTime', 'updateShift']) await send(name);
    const { it } = await mutate(
      tenant.as.admin,
      `{ it: copyEvent(id: "${rows.event.uuid}", input: { days: 7, withShifts: true })
         { event { version callTimes { version } workShifts { version } } } }`,
    );
    expect(it.event).toEqual({ version: 1, callTimes: [{ version: 1 }], workShifts: [{ version: 1 }] });
  });

  test('is checked even if nothing changes', async () => {
    const { status } = await service.call('PUT', `/v1/events/${rows.event.uuid}`, {
      as: tenant.as.admin,
      body: {},
      headers: { 'if-match': '"2"' },
    });
    expect(status).toBe(412);
  });
});

const nouns = {
  event: { list: '/v1/events', url: () => `/v1/events/${rows.event.uuid}`, change: { room: 'Annex' } },
  user: { list: '/api/v1/users', url: () => `/api/v1/users/${rows.user.id}`, change: { name: 'Another Name' } },
} as const;

describe.each(['event', 'user'] as const)('the ETag of the %s', (noun) => {
  const { change } = nouns[noun];
  const get = () => service.call('GET', nouns[noun].url(), { as: tenant.as.admin });
  const head = () =>
    service.app.http.inject({
      method: 'HEAD',
      url: nouns[noun].url(),
      headers: { authorization: `Bearer ${tenant.as.admin}` },
    });
  const put = (body: object, ifMatch?: string) =>
    service.call('PUT', nouns[noun].url(), {
      as: tenant.as.admin,
      body,
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    });

  test('is the version in answers to writes, and names the bytes as well in answers to reads', async () => {
    const { headers: read } = await get();
    expect(read['etag']).toMatch(/^"1\.[\w-]{43}"$/);
    expect((await get()).headers['etag']).toBe(read['etag']);
    expect((await head()).headers['etag']).toBe(read['etag']);
    expect((await put(change)).headers['etag']).toBe('"2"');
    expect((await put({})).headers['etag']).toBe('"2"');
    const { headers, body } = await get();
    expect(headers['etag']).toMatch(/^"2\.[\w-]{43}"$/);
    expect(JSON.stringify(body)).not.toContain('version');
  });

  test('is accepted in If-Match', async () => {
    const read = String((await get()).headers['etag']);
    const { status, headers } = await put(change, read);
    expect([status, headers['etag']]).toEqual([200, '"2"']);
    expect((await put(change, read)).status).toBe(412);
    expect((await put(change, '"2"')).status).toBe(200);
  });

  test.each([
    ['*', 200],
    [' * ', 200],
    ['"1"', 200],
    ['"1.anything"', 200],
    ['"9", "1"', 200],
    ['"9","x,y" ,, "1.a,b",', 200],
    ['W/"1", "1"', 200],
    ['W/"1"', 200],
    ['W/"1.anything"', 200],
    ['"1-gzip"', 200],
    [`W/"1.${'d'.repeat(22)}"`, 412],
    ['W/"9"', 412],
    ['"9"', 412],
    ['"01"', 412],
    ['"1x"', 412],
    ['"-1"', 412],
    ['""', 412],
    ['"x"', 412],
    ['"99999999999999999999"', 412],
    ['', 400],
    [',', 400],
    ['1', 400],
    ['"1', 400],
    ["'1'", 400],
    ['"1" "2"', 400],
    ['w/"1"', 400],
    ['*, "1"', 400],
    ['"a b"', 400],
    [`${'", '.repeat(5000)}x`, 400],
  ])('in If-Match: %s is %i', async (header, expected) => {
    const { status, body } = await put(change, header);
    expect(status).toBe(expected);
    expect(await versionOf(noun)).toBe(expected === 200 ? 2 : 1);
    expect(body.code).toBe({ 200: undefined, 412: 'PRECONDITION_FAILED', 400: 'BAD_REQUEST' }[expected]);
  });

  test('is missing on failures and names no version on lists', async () => {
    expect((await put({ colour: 'red' })).headers['etag']).toBeUndefined();
    const { headers } = await service.call('GET', nouns[noun].list, { as: tenant.as.admin });
    expect(headers['etag']).toMatch(/^W\//);
    expect((await put(change, String(headers['etag']))).status).toBe(412);
  });
});

test('a changed call time changes the tag of its event, but not the version in it', async () => {
  const get = () => service.call('GET', nouns.event.url(), { as: tenant.as.admin });
  const before = (await get()).headers['etag'];
  await send('updateCallTime');
  const after = (await get()).headers['etag'];
  expect(after).not.toBe(before);
  expect(after).toMatch(/^"1\./);
});

test('the OpenAPI document has the headers and the refusal on the routes that support them', () => {
  const { paths } = service.app.http.swagger() as unknown as {
    paths: Record<string, Record<string, { parameters?: { name: string }[]; responses: Record<string, object> }>>;
  };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      ifMatch: parameters.some(({ name }) => name === 'If-Match'),
      ifNoneMatch: parameters.some(({ name }) => name === 'If-None-Match'),
      refuses: '412' in responses,
      revalidates: '304' in responses,
      etag: Object.values(responses).some((response) => 'ETag' in ((response as { headers?: object }).headers ?? {})),
    })),
  );
  const where = (flag: 'ifMatch' | 'ifNoneMatch' | 'refuses' | 'etag') =>
    routes.filter((each) => each[flag]).map(({ name }) => name);
  const heeding = Object.keys(changes).filter((name) => name.includes(' '));
  // What creates a row or changes it is tried in test/events-upsert.test.ts.
  const upserts = ['PUT /v1/events/by_resource_id/{id}'];
  expect(where('ifMatch').sort()).toEqual([...heeding, ...upserts].sort());
  // Their bodies name the versions.
  const ofBatches = ['POST /v1/work_shifts/batch/move', 'POST /v1/call_times/batch'];
  expect(where('refuses').sort()).toEqual([...heeding, ...upserts, ...ofBatches].sort());
  const reads = routes.filter(({ revalidates }) => revalidates).map(({ name }) => name);
  // An exchange answers with two rows, each with its own version.
  const changed = heeding.filter((name) => !changes[name]!.removes && !name.endsWith('/exchange'));
  const created = Object.keys(creates).filter((name) =>
    / .*(?<!tokens\/business|batch|webhooks|screens|feeds|offers)$/.test(name),
  );
  expect(where('etag').sort()).toEqual([...reads, ...changed, ...created].sort());
  expect(
    where('ifNoneMatch')
      .filter((name) => !upserts.includes(name))
      .sort(),
  ).toEqual([...reads, ...heeding].filter((name) => !upserts.includes(name)).sort());
  const cacheable = Object.entries(routeRows).filter(([, { calls }]) => calls.operation.cacheable);
  // A stream is made of cacheable reads, and is no answer that could be kept.
  const kept = cacheable.map(([name]) => name).filter((name) => !name.endsWith('/stream'));
  expect(reads.sort()).toEqual(kept.sort());
});
