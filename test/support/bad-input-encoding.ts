import { expect } from '@jest/globals';
import {
  asked,
  badRequest,
  created,
  given,
  invalidFields,
  newEvent,
  ok,
  unsupportedType,
  type BadInput,
  type Scene,
} from './bad-input.ts';
import { written } from './wire.ts';

/* Texts that are not UTF-8, or are said not to be. */

/** Bytes that no UTF-8 has: a lone byte, overlong forms, a half of a surrogate pair, a cut character, one beyond Unicode. */
const invalidBytes = ['ff', 'c0af', 'e080af', 'eda080', 'c3', 'f4908080', 'fe', '80'];

/** The request with these bytes in place of the character § of its body. */
const withBytes = (request: string, hex: string): Buffer => {
  const bytes = Buffer.from(hex, 'hex');
  const [head = '', body = ''] = request.split('\r\n\r\n');
  const [before = '', after = ''] = body.split('§');
  const whole = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
  const fitting = head.replace(/content-length: \d+/, `content-length: ${whole.length}`);
  return Buffer.concat([Buffer.from(`${fitting}\r\n\r\n`), whole]);
};

const create = ({ tenant: { as } }: Scene, headers: Record<string, string> = {}, fields: object = {}) =>
  written('POST', '/v1/events', { as: as.admin, body: { ...newEvent, ...fields }, headers });

/** Requests of every surface with a text in their body. */
const everywhere = (scene: Scene, headers: Record<string, string> = {}) => {
  const { as } = scene.tenant;
  return [
    create(scene, headers, { title: 'a§b' }),
    written('PUT', `/v1/events/${scene.event.uuid}`, { as: as.admin, body: { description: '§' }, headers }),
    written('POST', '/api/v1/users', { as: as.admin, body: { name: '§' }, headers }),
    written('POST', '/v1/auth/login', { body: { email: 'a@b.cc', password: '§' }, headers }),
    asked('{ viewer { name } } # §', { as: as.admin, headers }),
    asked('query ($text: String) { events(filter: { text: $text }) { totalCount } }', {
      as: as.admin,
      variables: { text: '§' },
      headers,
    }),
  ];
};

export const encoding: readonly BadInput[] = [
  {
    title: 'a body that is not UTF-8',
    cases: (scene) =>
      invalidBytes.flatMap((hex) => everywhere(scene).map((request) => given(badRequest, withBytes(request, hex)))),
  },
  {
    title: 'another charset',
    cases: (scene) =>
      [
        'utf-7',
        'utf-16',
        'utf-16le',
        'latin1',
        'iso-8859-1',
        'us-ascii',
        '',
        '"utf-16"',
        'utf-8; charset=latin1',
      ].flatMap((charset) =>
        everywhere(scene, { 'content-type': `application/json; charset=${charset}` }).map((request) =>
          given(unsupportedType, request),
        ),
      ),
  },
  {
    title: 'UTF-8 in any spelling',
    cases: (scene) =>
      [
        '; charset=utf-8',
        ';charset=UTF-8',
        '; Charset="utf-8"',
        '; charset=UTF8',
        '; profile=x; charset=utf-8',
        '',
      ].map((parameters) =>
        given(
          created,
          create(scene, { 'content-type': `application/json${parameters}` }, { title: 'Zoë 🎪' }),
          ({ body: { data } }) => expect(data.title).toBe('Zoë 🎪'),
        ),
      ),
  },
  {
    title: 'half of a surrogate pair as an escape',
    cases: (scene) => [
      given(invalidFields('title'), create(scene, {}, { title: 'a\ud800' })),
      given(invalidFields('a\ud800'), create(scene, {}, { 'a\ud800': 1 })),
      given(
        { status: 200, code: 'VALIDATION_FAILED' },
        asked('query ($text: String) { events(filter: { text: $text }) { totalCount } }', {
          as: scene.tenant.as.admin,
          variables: { text: 'a\ud800' },
        }),
      ),
    ],
  },
  {
    title: 'a query string that is not UTF-8',
    cases: ({ tenant: { as } }) =>
      ['%FF', '%C0%AF', '%ED%A0%80', '%C3', '%zz', '%', 'é', '"\xff"'].flatMap((text) => [
        given(badRequest, written('GET', `/v1/events?page=1&x=${text}`, { as: as.admin })),
        given(badRequest, written('GET', `/graphql?query={__typename}%20%23${text}`, { as: as.admin })),
      ]),
  },
  {
    title: 'an idempotency key beyond ASCII',
    cases: (scene) => {
      const withKey = (key: Buffer) => {
        const [before = '', after = ''] = create(scene, { 'idempotency-key': '§' }).split('§');
        return Buffer.concat([Buffer.from(before), key, Buffer.from(after)]);
      };
      return [
        ...['e9', 'c3', 'ff'].map((hex) => given(created, withKey(Buffer.from(hex, 'hex')))),
        given(created, withKey(Buffer.from('Zoë'))),
        given(
          { ...ok, writes: true },
          asked('mutation ($input: CreateEventInput!) { createEvent(idempotencyKey: "Zoë", input: $input) { uuid } }', {
            as: scene.tenant.as.admin,
            variables: {
              input: {
                title: 'x',
                startTime: newEvent.start_time,
                endTime: newEvent.end_time,
                timezone: newEvent.timezone,
              },
            },
          }),
          ({ body }) => expect(body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED'),
        ),
      ];
    },
  },
];
