import { expect } from '@jest/globals';
import { keeping, post, put, refusing } from './bad-input-times.ts';
import { asked, changed, field, given, graphqlError, newEvent, ok, invalidFields, type BadInput } from './bad-input.ts';
import { written } from './wire.ts';

const verbatim = [
  '<script>alert(1)</script>',
  `'; -- DROP TABLE events`,
  'a\u202Egnp.exe',
  '\u0001\u001b[31m',
  '"}],"x":[{"',
  '${7*7} {{7*7}} %s $1 \\u0041',
  'e\u0301 \u00e9',
];

export const events: readonly BadInput[] = [
  {
    title: 'each required field missing',
    cases: (scene) => [
      given(
        invalidFields('title', 'start_time', 'end_time', 'timezone'),
        written('POST', '/v1/events', { as: scene.tenant.as.admin, body: {} }),
      ),
      ...Object.keys(newEvent).map((name) => given(invalidFields(name), post(scene, { [name]: undefined }))),
      given(
        invalidFields('email', 'name', 'role', 'password'),
        written('POST', '/api/v1/users', { as: scene.tenant.as.admin, body: {} }),
      ),
    ],
  },
  {
    title: 'title 200 emoji ok / 201',
    cases: (scene) => [
      keeping(scene, { title: '🎪'.repeat(200) }),
      ...refusing(scene, 'title', ['🎪'.repeat(201), 'x'.repeat(201)]),
    ],
  },
  {
    title: 'title only spaces',
    cases: (scene) => refusing(scene, 'title', ['', ' ', '\t\n', '\u00a0', '\u2003\u3000', '\ufeff', '\u0085']),
  },
  {
    title: 'client_id of other tenant',
    cases: async (scene) => {
      const answers: unknown[] = [];
      return [scene.other.client.id, 2_147_483_647].flatMap((client_id) => [
        given(invalidFields('client_id'), post(scene, { client_id }), ({ body }) => {
          answers.push(body);
          expect(body).toEqual(answers[0]);
        }),
        given(invalidFields('client_id'), put(scene, scene.event.uuid, { client_id })),
      ]);
    },
  },
  {
    title: 'client_id of a staff user',
    cases: async (scene) => {
      const { business, as } = scene.tenant;
      const gone = await scene.service.createUser(business, 'client');
      await scene.service.call('DELETE', `/api/v1/users/${gone.id}`, { as: as.admin });
      return refusing(scene, 'client_id', [scene.tenant.staff.id, scene.tenant.admin.id, gone.id]);
    },
  },
  {
    title: 'business_id/id/uuid in body',
    cases: (scene) =>
      ['business_id', 'id', 'uuid', 'created_at', 'modified_at', 'version', 'deleted_at'].flatMap((name) =>
        refusing(scene, name, [scene.other.business.id]),
      ),
  },
  {
    title: 'status "canceled" vs "cancelled","ACTIVE"',
    cases: async (scene) => {
      const { uuid } = await scene.service.createEvent(scene.tenant.business);
      return [
        ...refusing(scene, 'status', ['cancelled', 'ACTIVE', 'Active', '', 'bogus', 'active ']),
        given(invalidFields('status'), post(scene, { status: 'canceled' })),
        given(changed, put(scene, uuid, { status: 'canceled' }), ({ body: { data } }) =>
          expect(data.status).toBe('canceled'),
        ),
      ];
    },
  },
  {
    title: 'PUT {}',
    cases: (scene) => [given(ok, put(scene, scene.event.uuid, {})), given(ok, put(scene, scene.event.uuid, {}))],
  },
  {
    title: 'PUT end_time before stored start',
    cases: (scene) => [
      given(invalidFields('end_time'), put(scene, scene.event.uuid, { end_time: '2026-12-05 17:59:59' })),
      given(invalidFields('end_time'), put(scene, scene.event.uuid, { start_time: '2026-12-05 23:00:00' })),
      // By the clocks of the new zone, both move; by those of one end alone they could not.
      given(
        invalidFields('end_time'),
        put(scene, scene.event.uuid, { timezone: 'Asia/Tokyo', start_time: '2026-12-05 23:30:00' }),
      ),
    ],
  },
  {
    title: 'PUT on an event whose status is deleted',
    cases: async (scene) => {
      const { uuid } = await scene.service.createEvent(scene.tenant.business, { status: 'deleted' });
      return [
        given(changed, put(scene, uuid, { title: 'Still there' }), ({ body: { data } }) =>
          expect(data).toMatchObject({ title: 'Still there', status: 'deleted' }),
        ),
        given(changed, put(scene, uuid, { status: 'active' }), ({ body: { data } }) =>
          expect(data.status).toBe('active'),
        ),
      ];
    },
  },
  {
    title: 'description >20,000 chars',
    cases: (scene) => [
      ...['description', 'private_notes', 'dress_code'].flatMap((name) => refusing(scene, name, ['é'.repeat(20_001)])),
      ...[
        ['venue_name', 250],
        ['address', 200],
        ['city', 200],
        ['state', 50],
        ['zip', 50],
        ['room', 200],
        ['resource_id', 200],
      ].flatMap(([name, max]) => refusing(scene, String(name), ['x'.repeat(Number(max) + 1)])),
      keeping(scene, { description: '🎪'.repeat(20_000) }),
    ],
  },
  {
    title: "<script>, '; --, U+202E",
    cases: (scene) =>
      verbatim.map((text) =>
        keeping(scene, { title: text, description: text, venue_name: text, city: text.slice(0, 50) }),
      ),
  },
  {
    title: 'dropdown custom value not an option',
    cases: async (scene) => {
      const select = await scene.service.createCustomField(scene.tenant.business, {
        type: 'select',
        options: ['red', 'blue'],
      });
      const line = await scene.service.createCustomField(scene.tenant.business, { type: 'text' });
      const set = (fieldUuid: string, value: string) =>
        asked(
          'mutation ($uuid: ID!, $values: [CustomFieldValueInput!]!) { setCustomFieldValues(eventId: $uuid, values: $values) { __typename } }',
          { as: scene.tenant.as.admin, variables: { uuid: scene.event.uuid, values: [{ fieldId: fieldUuid, value }] } },
        );
      const verdict = field({ status: 200, code: 'VALIDATION_FAILED' });
      return [
        ...['green', 'Red', ' red', 'red,blue', '<script>', 'x'.repeat(30_000), 'red\0'].map((value) =>
          given(verdict, set(select.uuid, value)),
        ),
        given(verdict, set(line.uuid, 'two\nlines')),
      ];
    },
  },
  {
    title: 'payrate NaN, -1, 1e308',
    cases: async (scene) => {
      const { id } = await scene.service.createPosition(scene.tenant.business);
      const rates = ['NaN', '-1', '1e308', '1e3', '0x10', '', 'ten', '1.001', '99999999999', 'Infinity', '1,5', ' 1'];
      const callTime = (rate: unknown) => ({
        positionId: id,
        staffNeeded: 1,
        startTime: '2026-12-05 18:00:00',
        endTime: '2026-12-05 20:00:00',
        payRate: rate,
      });
      const query =
        'mutation ($uuid: ID!, $input: CreateCallTimeInput!) { createCallTime(eventId: $uuid, input: $input) { id } }';
      const sent = (rate: unknown) =>
        asked(query, { as: scene.tenant.as.admin, variables: { uuid: scene.event.uuid, input: callTime(rate) } });
      return [
        ...rates.map((rate) => given({ status: [200, 400] }, sent(rate), expectRefusedRate)),
        ...[-1, 1e308, 1.001, true, ['1'], {}].map((rate) =>
          given({ status: [200, 400] }, sent(rate), expectRefusedRate),
        ),
        given(
          graphqlError('GRAPHQL_VALIDATION_FAILED'),
          asked(query.replace('$input)', '{ payRate: NaN })'), { as: scene.tenant.as.admin }),
        ),
      ];
    },
  },
];

const expectRefusedRate = ({
  body,
}: {
  body: { data?: { createCallTime: unknown }; errors: { extensions: { code: string } }[] };
}) => {
  expect(body.data?.createCallTime ?? null).toBeNull();
  expect(['VALIDATION_FAILED', 'BAD_USER_INPUT']).toContain(body.errors[0]?.extensions.code);
};
