import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { eventDialects, readEvent, required, snakeCase, type EventFields } from './support/event-dialects.ts';
import { eventTextLengths } from './support/event-fields.ts';

/** An event that refused changes must leave alone. */
let uuid: string;
const dialects = eventDialects(() => service);

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  uuid = (await service.createEvent(tenant.business, { title: 'As it was' })).uuid;
});

/** 16 bits twice, one character. */
const emoji = '🎪';

const verbatim = [
  `<script>alert("'1' OR 1=1; --")</script>`,
  'Robert\'); DROP TABLE "events"; --',
  'a\u202Egnp.exe\u202C',
  '👩🏽‍🎤 Zoë Żółć 日本語 ‏שלום‏',
  'e\u0301 stays apart from \u00e9',
  '  spaces around  ',
  'two\nlines\r\nand a\ttab',
  '\u0001\u001b[31m\u007f',
  '${7*7} {{7*7}} %s %n $1 \\u0041 \\',
  'null',
];

const isNotText = ['must be well-formed Unicode without NUL'];

describe.each(['REST', 'GraphQL'] as const)('through %s', (name) => {
  const dialect = dialects[name];

  /** Both a create and an update with these fields are refused, and nothing comes of it. */
  async function expectRefused(fields: EventFields, errors: Record<string, unknown>) {
    const before = [await service.prisma.event.count(), await readEvent(service, tenant.as.admin, uuid)];
    const refused = { code: 'VALIDATION_FAILED', errors, uuid: null };
    expect(await dialect.create(tenant.as.admin, { ...required, ...fields })).toEqual(refused);
    expect(await dialect.update(tenant.as.admin, uuid, fields)).toEqual(refused);
    expect([await service.prisma.event.count(), await readEvent(service, tenant.as.admin, uuid)]).toEqual(before);
  }

  async function expectKept(fields: EventFields) {
    const created = await dialect.create(tenant.as.admin, { ...required, ...fields });
    expect(created).toMatchObject({ code: 'OK' });
    expect(await readEvent(service, tenant.as.admin, created.uuid)).toMatchObject(fields);
    const blank = await service.createEvent(tenant.business);
    expect(await dialect.update(tenant.as.admin, blank.uuid, fields)).toMatchObject({ code: 'OK' });
    expect(await readEvent(service, tenant.as.admin, blank.uuid)).toMatchObject(fields);
  }

  test.each(Object.entries(eventTextLengths))(
    '%s takes %i characters, whatever their size, and not one more',
    async (field, max) => {
      await expectKept({ [field]: emoji.repeat(max) });
      await expectRefused({ [field]: emoji.repeat(max) + 'x' }, { [field]: [`must have at most ${max} characters`] });
    },
  );

  test.each(['', ' ', '\t\n', '\u00a0', '\u2003\u3000', '\ufeff', '\u0085', '\u001c'])(
    'a title of %j is blank',
    (title) => expectRefused({ title }, { title: ['must not be blank'] }),
  );

  test.each(verbatim)('text is kept as it was sent: %j', (text) =>
    expectKept({ title: text, description: text, venueName: text, privateNotes: text, dressCode: text, city: text }),
  );

  test.each(['a\0b', '\0', 'half \ud83c', '\udfaa'])('text that is not valid Unicode is refused: %j', (text) =>
    expectRefused(
      { description: text, dressCode: text, zip: text },
      { description: isNotText, dressCode: isNotText, zip: isNotText },
    ),
  );

  test.each([
    ['latitude', ['90', '-90', '0', '51.380000000000000', '-0.5', '00.50', '90.000']],
    ['longitude', ['180', '-180', '-2.36', '179.999999999999999', '007']],
  ])('%s is kept digit by digit', async (field, values) => {
    for (const value of values) await expectKept({ [field]: value });
  });

  test.each([
    ['latitude', ['90.1', '-91', '1e1', 'north', '1.', '.5', '+5', ' 5', '5 ', '5,5', 'NaN', 'Infinity', '0x1', '٥']],
    ['longitude', ['180.000001', '-181', '1e2', 'west', '--1']],
  ])('an invalid %s is refused', async (field, values) => {
    const bound = field === 'latitude' ? 90 : 180;
    for (const value of values)
      await expectRefused(
        { [field]: value },
        { [field]: [`must be decimal degrees from -${bound} to ${bound}, as text`] },
      );
  });

  test.each([0, -1])('%i is not a valid client id', (clientId) =>
    expectRefused(
      { clientId },
      { clientId: [name === 'REST' ? 'must be at least 1' : 'must be the id of a row of this type'] },
    ),
  );

  test('every field that is wrong is named at once', () =>
    expectRefused(
      {
        title: ' ',
        zip: 'z'.repeat(51),
        startTime: 'soon',
        endTime: 'later',
        timezone: 'Mars/Olympus',
        latitude: '91',
      },
      Object.fromEntries(
        ['title', 'zip', 'startTime', 'endTime', 'timezone', 'latitude'].map((field) => [
          field,
          [expect.stringMatching(/^must /)],
        ]),
      ),
    ));

  test('a flag can be set and cleared', async () => {
    for (const value of [true, false]) await expectKept({ startTimeTbd: value, endTimeTbd: value });
  });
});

/** Input that only REST can receive, because GraphQL's own types refuse it before the service sees it. */
describe('a REST body', () => {
  async function expectRefused(fields: object, errors: object, errorsOfUpdate = errors) {
    const snake = Object.fromEntries(Object.entries(required).map(([field, value]) => [snakeCase(field), value]));
    const as = tenant.as.admin;
    const before = await service.prisma.event.count();
    for (const [answer, wrong] of [
      [await service.call('POST', '/v1/events', { as, body: { ...snake, ...fields } }), errors],
      [await service.call('PUT', `/v1/events/${uuid}`, { as, body: fields }), errorsOfUpdate],
    ] as const) {
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({
        success: false,
        data: null,
        message: 'The input is not valid.',
        code: 'VALIDATION_FAILED',
        errors: wrong,
      });
    }
    expect(await service.prisma.event.count()).toBe(before);
  }

  test('without the required fields is refused with the name of each', async () => {
    const { status, body } = await service.call('POST', '/v1/events', { as: tenant.as.admin, body: {} });
    expect(status).toBe(422);
    expect(body.errors).toEqual({
      title: ['is required'],
      start_time: ['is required'],
      end_time: ['is required'],
      timezone: ['is required'],
    });
  });

  test.each(['id', 'uuid', 'business_id', 'created_at', 'modified_at'])('cannot set %s', (field) =>
    expectRefused(
      { [field]: -1 },
      { [field]: ['is not a known field'] },
      { [field]: ['is read-only: leave it out, or send the value that is stored'] },
    ),
  );

  test.each([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
  ])('sets a flag by %j', async (value, stored) => {
    const event = await service.createEvent(tenant.business, { startTbd: !stored });
    const url = `/v1/events/${event.uuid}`;
    const { status } = await service.call('PUT', url, { as: tenant.as.admin, body: { start_time_tbd: value } });
    expect(status).toBe(200);
    expect(await readEvent(service, tenant.as.admin, event.uuid)).toMatchObject({ startTimeTbd: stored });
  });

  test.each(['TRUE', 'yes', '1', '', 1, 0, null, [true]])('does not set a flag by %j', (value) =>
    expectRefused({ end_time_tbd: value }, { end_time_tbd: [expect.stringMatching(/^must be /)] }),
  );
});

describe('GraphQL itself refuses', () => {
  const { create, update } = dialects.GraphQL;

  test.each([
    ['a number for text', { title: 5 }],
    ['a fraction for an id', { clientId: 1.5 }],
    ['a flag for an id', { clientId: true }],
    ['text for a flag', { startTimeTbd: 'true' }],
    ['a field that there is not', { color: 'red' }],
    ['the id', { id: 1 }],
    ['the business', { businessId: 1 }],
    ['an unknown status', { status: 'bogus' }],
  ])('%s', async (_, fields) => {
    expect(await create(tenant.as.admin, { ...required, ...fields })).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await update(tenant.as.admin, uuid, fields)).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  test.each(['title', 'startTime', 'endTime', 'timezone', 'startTimeTbd', 'endTimeTbd', 'status'])(
    'or the service, to unset %s',
    async (field) => {
      const outcome = await update(tenant.as.admin, uuid, { [field]: null });
      expect(outcome).toMatchObject({ code: 'VALIDATION_FAILED', errors: { [field]: expect.anything() } });
    },
  );
});
