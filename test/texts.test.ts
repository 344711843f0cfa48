import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import argon2 from 'argon2';
import { useOneTenant, useService } from './support/app.ts';

/* One form of texts: what is the same for a reader is the same for the service. */

const service = useService();
const tenant = useOneTenant(service, 'enterprise');

const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) =>
  service.call(method, url, { as: tenant.as.admin, ...(body !== undefined && { body }) });
const period = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'UTC' };

describe('searches', () => {
  beforeAll(async () => {
    for (const name of ['José Núñez', 'Jose\u0301 Composed', 'Łucja  Wałęsa', 'Conor O’Brien'])
      await service.createUser(tenant.business, 'staff', { name });
    for (const [title, city] of [
      ['Fête de la Musique', 'Zu\u0308rich'],
      ['Straßenfest', 'Zürich'],
      ['Plain gala', 'Zurich'],
      ['Two  blanks\u00a0here', 'New\u00a0York'],
    ] as const)
      await ask('POST', '/v1/events', { ...period, title, city, venue_name: 'Café Ünder' });
  });

  test.each([
    ['nunez', ['José Núñez']],
    ['NÚÑEZ', ['José Núñez']],
    ['jose\u0301', ['José Núñez', 'Jose\u0301 Composed']],
    ['lucja walesa', ['Łucja  Wałęsa']],
    ["o'brien", ['Conor O’Brien']],
    ['%', []],
  ])('of people by %s', async (text, names) => {
    const found = await ask('GET', `/v1/staff?search=${encodeURIComponent(text)}&per_page=100`);
    expect(found.body.data.data.map(({ name }: { name: string }) => name)).toEqual(names);
    const users = await ask('GET', `/api/v1/users?search=${encodeURIComponent(text)}&per_page=100`);
    expect(users.body.data.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  test.each([
    ['text', 'fete', ['Fête de la Musique']],
    ['text', 'FE\u0302TE', ['Fête de la Musique']],
    ['text', 'strasse', ['Straßenfest']],
    ['text', 'cafe under', ['Fête de la Musique', 'Straßenfest', 'Plain gala', 'Two  blanks\u00a0here']],
    ['text', 'pláin', ['Plain gala']],
    ['text', 'two blanks here', ['Two  blanks\u00a0here']],
    ['text', 'ü', ['Fête de la Musique', 'Straßenfest', 'Plain gala', 'Two  blanks\u00a0here']],
    ['city', 'zurich', ['Fête de la Musique', 'Straßenfest', 'Plain gala']],
    ['city', 'Zürich', ['Fête de la Musique', 'Straßenfest', 'Plain gala']],
    ['city', 'new york', ['Two  blanks\u00a0here']],
    ['city', 'zur', []],
  ])('of events by %s %s', async (name, value, titles) => {
    const { body } = await service.graphql(
      `query ($filter: EventFilter) { events(filter: $filter, first: 100) { nodes { title } } }`,
      { as: tenant.as.admin, variables: { filter: { [name]: value } } },
    );
    expect(body.errors).toBeUndefined();
    const found = body.data.events.nodes.map((node: { title: string }) => node.title) as string[];
    expect(found.sort()).toEqual([...titles].sort());
  });
});

describe('uniqueness', () => {
  test.each([
    ['/v1/positions', 'title', { default_pay_rate: '20', pay_unit: 'hour' }],
    ['/v1/skill_levels', 'name', {}],
    ['/v1/custom_fields', 'name', { type: 'text' }],
  ])('of %s follows the form', async (url, field, more) => {
    const made = await ask('POST', url, { ...more, [field]: 'Café crew' });
    expect(made.status).toBe(201);
    for (const twin of ['Cafe\u0301 crew', ' Café  crew ', 'Café\u00a0crew', 'Café\u200b crew']) {
      const { status, body } = await ask('POST', url, { ...more, [field]: twin });
      expect([twin, status, body.errors]).toEqual([twin, 409, { [field]: ['is taken'] }]);
    }
    expect((await ask('POST', url, { ...more, [field]: 'Cafe crew' })).status).toBe(201);
    const { data } = (await ask('POST', url, { ...more, [field]: 'Another' })).body;
    const own = `${url}/${data.uuid ?? data.id}`;
    expect((await ask('PUT', own, { [field]: 'Cafe\u0301 crew' })).status).toBe(409);
    expect((await ask('PUT', own, { [field]: 'Anothe\u0301r' })).body.data[field]).toBe('Anothe\u0301r');
  });

  test('of twins that are stored is left as it is until one of them is written', async () => {
    const businessId = tenant.business.id;
    const [one] = await service.prisma.position.createManyAndReturn({
      data: ['Chef', 'Chef '].map((title) => ({ businessId, title, defaultPayRate: '20', payUnit: 'hour' as const })),
    });
    const url = `/v1/positions/${one!.id}`;
    expect((await ask('PUT', url, { default_pay_rate: '21.00' })).status).toBe(200);
    expect((await ask('PUT', url, { title: 'Chef', default_pay_rate: '22.00' })).status).toBe(200);
    expect((await ask('PUT', url, { title: 'Chef  ' })).status).toBe(409);
  });

  test('of options follows the form, and a value is taken as its option', async () => {
    const field = { name: 'Menu', type: 'select' };
    expect((await ask('POST', '/v1/custom_fields', { ...field, options: ['Entrée', 'Entre\u0301e'] })).status).toBe(
      422,
    );
    const { data } = (await ask('POST', '/v1/custom_fields', { ...field, options: ['Entrée', 'Main'] })).body;
    const event = (await ask('POST', '/v1/events', { ...period, title: 'Menu' })).body.data;
    const set = await ask('PUT', `/v1/events/${event.uuid}/custom_fields`, {
      values: [{ field_uuid: data.uuid, value: 'Entre\u0301e' }],
    });
    expect(set.body.data).toEqual([{ field_uuid: data.uuid, field_name: 'Menu', field_value: 'Entrée' }]);
  });
});

test.each(['\u200b', '\ufeff\u2060', '\u00ad', '\u200e \u200f', '\u3164', '\u2800', '\ufe0f'])(
  'a title of %j alone is refused',
  async (title) => {
    const { status, body } = await ask('POST', '/v1/events', { ...period, title });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['title']]);
  },
);

test('a text is stored as it was sent', async () => {
  for (const title of ['Cafe\u0301  \u200bnight', ' a ', '\u0301']) {
    const { body } = await ask('POST', '/v1/events', { ...period, title });
    expect(body.data.title).toBe(title);
  }
});

test.each([
  ["'+1 212 555-0100", '+1 212 555-0100'],
  ['’+1 212 555-0100', '+1 212 555-0100'],
  ['+1\u00a0212\u00a0555\u20110100', '+1 212 555-0100'],
  ['\u202a+1 212 555–0100\u202c', '+1 212 555-0100'],
  ['＋1 (212) 555 0100', '+1 (212) 555 0100'],
])('the phone number %j is taken', async (phone, shown) => {
  const url = `/api/v1/users/${tenant.staff.id}`;
  expect((await ask('PUT', url, { phone })).status).toBe(200);
  const { body } = await service.graphql(`query ($id: ID!) { user(id: $id) { phone } }`, {
    as: tenant.as.admin,
    variables: { id: tenant.staff.id },
  });
  expect(body.data.user.phone).toBe(shown);
});

test.each(['-0.12775829999999997', '51.5073509000000012', '-0.00000000000000001', '180'])(
  'the longitude %s is taken',
  async (longitude) => {
    const { status, body } = await ask('POST', '/v1/events', { ...period, title: 'Far', longitude });
    expect([status, body.errors]).toEqual([201, undefined]);
    const full = await ask('GET', `/v1/events/${body.data.uuid}?fields=full`);
    expect(full.body.data.longitude).toBe(longitude);
  },
);

describe('a log-in', () => {
  const composed = 'caf\u00e9 by the stage door';
  const logIn = async (email: string, password: string) =>
    (await service.call('POST', '/v1/auth/login', { body: { email, password } })).status;
  const hashOf = async (emailKey: string) =>
    (await service.prisma.user.findUniqueOrThrow({ where: { emailKey } })).passwordHash;

  test('takes a password however a device composes it, and an e-mail with blanks around it', async () => {
    const user = { email: 'nfc@example.com', name: 'N', role: 'staff', password: composed.normalize('NFD') };
    expect((await ask('POST', '/api/v1/users', user)).status).toBe(201);
    for (const password of [composed, composed.normalize('NFD')]) expect(await logIn(user.email, password)).toBe(200);
    for (const email of [' nfc@example.com', 'NFC@example.com ', '\tnfc@example.com\u00a0'])
      expect(await logIn(email, composed)).toBe(200);
    const { body } = await service.graphql(
      `mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }`,
      { variables: { email: 'nfc@example.com ', password: composed } },
    );
    expect(body.errors).toBeUndefined();
    expect(await logIn('nfc@example.com', 'cafe by the stage door')).toBe(401);
  });

  test('stores an older hash of another form anew', async () => {
    const sent = composed.normalize('NFD');
    const email = `old-${tenant.business.id}@example.com`;
    const passwordHash = await argon2.hash(sent, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    await service.createUser(tenant.business, 'staff', { email, passwordHash });
    expect(await logIn(email, composed)).toBe(401);
    expect(await hashOf(email)).toBe(passwordHash);
    expect(await logIn(email, sent)).toBe(200);
    expect(await hashOf(email)).not.toBe(passwordHash);
    for (const password of [composed, sent]) expect(await logIn(email, password)).toBe(200);
  });

  test('does the same work whether the account exists, has a password, or neither', async () => {
    const verify = jest.spyOn(argon2, 'verify');
    /** Log-ins of which each was refused, and how many verifications of a hash came to an end in them. */
    const countWork = async (email: string, password: string) => {
      verify.mockClear();
      expect(await logIn(email, password)).toBe(401);
      const ended = await Promise.allSettled(verify.mock.results.map(({ value }) => value));
      return ended.filter(({ status }) => status === 'fulfilled').length;
    };
    const known = { 'of-one': undefined, 'of-none': null, 'of-a-corrupt-one': '$argon2id$v=19$corrupt' };
    for (const [name, passwordHash] of Object.entries(known))
      await service.createUser(tenant.business, 'staff', {
        email: `${name}@example.com`,
        ...(passwordHash !== undefined && { passwordHash }),
      });
    for (const name of [...Object.keys(known), 'of-nobody']) {
      const email = `${name}@example.com`;
      // One attempt where the password is sent in the form that is hashed, and two where it is not.
      expect([name, await countWork(email, composed)]).toEqual([name, 1]);
      expect([name, await countWork(email, composed.normalize('NFD'))]).toEqual([name, 2]);
    }
    verify.mockRestore();
  });
});
