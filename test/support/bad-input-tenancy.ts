import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import {
  asked,
  conflict,
  changed,
  forbidden,
  field,
  given,
  notFound,
  ok,
  type BadInput,
  type Scene,
  type Verdict,
} from './bad-input.ts';
import { written } from './wire.ts';

/** Checks that an id of another business and an unknown id get the same bytes. */
const alike = (scene: Scene, verdict: Verdict, wires: (name: string) => string[], foreign: string, none: string) => {
  const bodies: unknown[] = [];
  return [foreign, none].flatMap((name) =>
    wires(name).map((wire, index) =>
      given(verdict, wire, ({ body }) => {
        bodies[index] ??= body;
        expect(body).toEqual(bodies[index]);
        expect(JSON.stringify(body)).not.toContain(scene.other.business.name);
      }),
    ),
  );
};

export const tenancy: readonly BadInput[] = [
  {
    title: "other tenant's event GET/PUT/shifts",
    cases: (scene) => {
      const { as } = scene.tenant;
      const inRest = (uuid: string) => [
        written('GET', `/v1/events/${uuid}`, { as: as.admin }),
        written('GET', `/v1/events/${uuid}`, { as: as.key }),
        written('PUT', `/v1/events/${uuid}`, { as: as.admin, body: { title: 'Mine' } }),
        written('PUT', `/v1/events/${uuid}`, { as: as.admin, body: {} }),
        written('GET', `/v1/objects/events/${uuid}`, { as: as.admin }),
        written('GET', `/v1/work_shifts/event/${uuid}`, { as: as.admin }),
      ];
      const inGraphql = (uuid: string) =>
        [
          '{ it: event(id: $uuid) { title } }',
          'mutation: updateEvent(id: $uuid, input: { title: "Mine" }) { event { title } }',
          'mutation: setCustomFieldValues(eventId: $uuid, values: []) { __typename }',
        ].map((text) =>
          asked(
            text.startsWith('mutation') ? `mutation ($uuid: ID!) { it${text.slice(8)} }` : `query ($uuid: ID!) ${text}`,
            { as: as.admin, variables: { uuid } },
          ),
        );
      return [
        ...alike(scene, notFound, inRest, scene.otherEvent.uuid, randomUUID()),
        ...alike(scene, field({ ...notFound, status: 200 }), inGraphql, scene.otherEvent.uuid, randomUUID()),
      ];
    },
  },
  {
    title: "other tenant's user GET/PUT/DELETE",
    cases: (scene) => {
      const { as } = scene.tenant;
      const inRest = (id: string) => [
        written('GET', `/api/v1/users/${id}`, { as: as.admin }),
        written('PUT', `/api/v1/users/${id}`, { as: as.admin, body: { role: 'admin' } }),
        written('PUT', `/api/v1/users/${id}`, { as: as.admin, body: {} }),
        written('DELETE', `/api/v1/users/${id}`, { as: as.admin }),
        written('GET', `/api/v1/users/${id}`, { as: as.key }),
      ];
      const inGraphql = (id: string) => [
        asked(`{ user(id: ${id}) { name } }`, { as: as.admin }),
        asked(`mutation { updateUser(id: ${id}, input: { name: "Mine" }) { name } }`, { as: as.admin }),
        asked(`mutation { deleteUser(id: ${id}) { name } }`, { as: as.admin }),
        asked(`mutation { resetPassword(userId: ${id}, password: "enough of a password") { revoked } }`, {
          as: as.admin,
        }),
      ];
      const [foreign, none] = [String(scene.other.staff.id), '2147483647'];
      return [
        ...alike(scene, notFound, inRest, foreign, none),
        ...alike(scene, field({ ...notFound, status: 200 }), inGraphql, foreign, none),
      ];
    },
  },
  {
    title: 'nested GraphQL edge across tenants',
    cases: ({ tenant: { as }, event, otherEvent }) => [
      given(
        { status: 200, code: 'NOT_FOUND' },
        asked(
          `{ mine: event(id: "${event.uuid}") { title client { name } workShifts { id } }
             theirs: event(id: "${otherEvent.uuid}") { title client { name } callTimes { event { title } } } }`,
          { as: as.admin },
        ),
        ({ body }) => {
          expect(body.data).toEqual({ mine: { title: event.title, client: null, workShifts: [] }, theirs: null });
          expect(body.errors).toHaveLength(1);
          expect(body.errors[0].path).toEqual(['theirs']);
        },
      ),
    ],
  },
  {
    title: 'client/staff lists users or events',
    cases: ({ tenant: { as, staff }, event }) =>
      [as.staff, as.client].flatMap((who) => [
        ...[
          '/v1/events',
          `/v1/events/${event.uuid}`,
          '/v1/objects/events',
          `/v1/work_shifts/event/${event.uuid}`,
          '/api/v1/users',
          `/api/v1/users/${staff.id}`,
        ].map((path) => given(forbidden, written('GET', path, { as: who }))),
        // The right comes before the body.
        given(forbidden, written('POST', '/v1/events', { as: who, body: '{' })),
        given(forbidden, written('PUT', `/v1/events/${event.uuid}`, { as: who, body: { title: 1 } })),
        ...['{ events { nodes { id } } }', '{ users { nodes { id } } }'].map((text) =>
          given(field({ ...forbidden, status: 200 }), asked(text, { as: who }), ({ body }) =>
            expect(Object.values(body.data)).toEqual([null]),
          ),
        ),
      ]),
  },
  {
    title: 'demote or delete last admin',
    cases: ({ tenant: { admin, as } }) => [
      given(conflict('LAST_ADMIN'), written('DELETE', `/api/v1/users/${admin.id}`, { as: as.admin })),
      ...['staff', 'client'].map((role) =>
        given(conflict('LAST_ADMIN'), written('PUT', `/api/v1/users/${admin.id}`, { as: as.admin, body: { role } })),
      ),
      given(
        field({ ...conflict('LAST_ADMIN'), status: 200 }),
        asked(`mutation { deleteUser(id: ${admin.id}) { name } }`, { as: as.admin }),
      ),
    ],
  },
  {
    title: 'email taken (any case), concurrent',
    cases: ({ tenant: { as, staff, client }, other }) => {
      const user = { name: 'Robin Fields', role: 'staff', password: 'enough of a password' };
      return [staff.email, staff.email.toUpperCase(), other.admin.email, other.admin.email.toUpperCase()].flatMap(
        (email) => [
          given(
            { ...conflict(), fields: ['email'] },
            written('POST', '/api/v1/users', { as: as.admin, body: { ...user, email } }),
          ),
          given(
            { ...conflict(), fields: ['email'] },
            written('PUT', `/api/v1/users/${client.id}`, { as: as.admin, body: { email } }),
          ),
        ],
      );
    },
  },
  {
    title: 'total/last_page',
    cases: async ({ service, tenant, other }) => {
      for (let count = 0; count < 3; count++) await service.createEvent(other.business);
      const totals = (as: string, events: number, users: number) => [
        given(ok, written('GET', '/v1/events?per_page=1', { as }), ({ body: { data } }) =>
          expect(data).toMatchObject({ total: events, last_page: events }),
        ),
        given(ok, written('GET', '/api/v1/users?per_page=1', { as }), ({ body }) =>
          expect(body.meta.total).toBe(users),
        ),
        given(ok, asked('{ events(perPage: 1) { totalCount pageInfo { lastPage } } }', { as }), ({ body }) =>
          expect(body.data.events).toEqual({ totalCount: events, pageInfo: { lastPage: events } }),
        ),
      ];
      return [
        given(changed, written('GET', '/v1/events', { as: tenant.as.admin })),
        ...totals(tenant.as.admin, 1, 3),
        ...totals(other.as.admin, 4, 3),
      ];
    },
  },
];
