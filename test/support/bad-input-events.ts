import { expect } from '@jest/globals';
import {
  asked,
  changed,
  field,
  given,
  graphqlError,
  newEvent,
  invalidFields,
  type BadInput,
  type Scene,
} from './bad-input.ts';
import { written } from './wire.ts';

const post = ({ tenant: { as } }: Scene, fields: object) =>
  written('POST', '/v1/events', { as: as.admin, body: { ...newEvent, ...fields } });
const put = ({ tenant: { as } }: Scene, uuid: string, fields: object) =>
  written('PUT', `/v1/events/${uuid}`, { as: as.admin, body: fields });

export const events: readonly BadInput[] = [
  {
    title: 'status "canceled" vs "cancelled","ACTIVE"',
    cases: async (scene) => {
      const { uuid } = await scene.service.createEvent(scene.tenant.business);
      return [
        ...['cancelled', 'ACTIVE', 'Active', '', 'bogus', 'active '].flatMap((status) =>
          [post(scene, { status }), put(scene, scene.event.uuid, { status })].map((wire) =>
            given(invalidFields('status'), wire),
          ),
        ),
        given(invalidFields('status'), post(scene, { status: 'canceled' })),
        given(changed, put(scene, uuid, { status: 'canceled' }), ({ body: { data } }) =>
          expect(data.status).toBe('canceled'),
        ),
      ];
    },
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
