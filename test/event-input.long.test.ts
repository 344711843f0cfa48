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

  /** Creates and updates with each of these fields are refused, and nothing comes of them. */
  async function expectRefused(...cases: readonly (readonly [fields: EventFields, errors: Record<string, unknown>])[]) {
    const stored = async () => [await service.prisma.event.count(), await readEvent(service, tenant.as.admin, uuid)];
    const before = await stored();
    for (const [fields, errors] of cases) {
      const refused = { fields, code: 'VALIDATION_FAILED', errors, uuid: null };
      expect({ fields, ...(await dialect.create(tenant.as.admin, { ...required, ...fields })) }).toEqual(refused);
      expect({ fields, ...(await dialect.update(tenant.as.admin, uuid, fields)) }).toEqual(refused);
    }
    expect(await stored()).toEqual(before);
  }

  async function expectKept(fields: EventFields) {
    const created = await dialect.create(tenant.as.admin, { ...required, ...fields });
    expect(created).toMatchObject({ code: 'OK' });
    expect(await readEvent(service, tenant.as.admin, created.uuid)).toMatchObject(fields);
    const blank = await service.createEvent(tenant.business);
    expect(await dialect.update(tenant.as.admin, blank.uuid, fields)).toMatchObject({ code: 'OK' });
    expect(await readEvent(service, tenant.as.admin, blank.uuid)).toMatchObject(fields);
  }

  test('each text takes as many characters as its field allows, whatever their size, and not one more', async () => {
    const lengths = Object.entries(eventTextLengths);
    await expectKept(Object.fromEntries(lengths.map(([field, max]) => [field, emoji.repeat(max)])));
    await expectRefused([
      Object.fromEntries(lengths.map(([field, max]) => [field, `${emoji.repeat(max)}x`])),
      Object.fromEntries(lengths.map(([field, max]) => [field, [`must have at most ${max} characters`]])),
    ]);
  });

  test('a title of white space alone is blank', () =>
    expectRefused(
      ...['', ' ', '\t\n', '\u00a0', '\u2003\u3000', '\ufeff', '\u0085', '\u001c'].map(
        (title) => [{ title }, { title: ['must not be blank'] }] as const,
      ),
    ));

  test.each(verbatim)('text is kept as it was sent: %j', (text) =>
    expectKept({ title: text, description: text, venueName: text, privateNotes: text, dressCode: text, city: text }),
  );

  test('text that is not valid Unicode is refused', () =>
    expectRefused(
      ...['a\0b', '\0', 'half \ud83c', '\udfaa'].map(
        (text) =>
          [
            { description: text, dressCode: text, zip: text },
            { description: isNotText, dressCode: isNotText, zip: isNotText },
          ] as const,
      ),
    ));

  test('latitude and longitude are kept digit by digit', async () => {
    const latitudes = ['90', '-90', '0', '51.380000000000000', '-0.5', '00.50', '90.000'];
    const longitudes = ['180', '-180', '-2.36', '179.999999999999999', '007'];
    for (const [index, latitude] of latitudes.entries())
      await expectKept({ latitude, longitude: longitudes[index % longitudes.length] });
  });

  test('an invalid latitude and an invalid longitude are refused', () => {
    const latitudes = [
      '90.1',
      '-91',
      '1e1',
      'north',
      '1.',
      '.5',
      '+5',
      ' 5',
      '5 ',
      '5,5',
      'NaN',
      'Infinity',
      '0x1',
      '٥',
    ];
    const longitudes = ['180.000001', '-181', '1e2', 'west', '--1'];
    const errors = {
      latitude: ['must be decimal degrees from -90 to 90, as text'],
      longitude: ['must be decimal degrees from -180 to 180, as text'],
    };
    return expectRefused(
      ...latitudes.map(
        (latitude, index) => [{ latitude, longitude: longitudes[index % longitudes.length] }, errors] as const,
      ),
    );
  });

  test.each([0, -1])('%i is not a valid client id', (clientId) =>
    expectRefused([
      { clientId },
      { clientId: [name === 'REST' ? 'must be at least 1' : 'must be the id of a row of this type'] },
    ]),
  );

  test('every field that is wrong is named at once', () =>
    expectRefused([
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
    ]));

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
