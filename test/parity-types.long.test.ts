import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSchema } from '../src/nouns.ts';
import { useService } from './support/app.ts';
import { newEvent } from './support/bad-input.ts';
import type { Tenant } from './support/factories.ts';
import { parityMap, type ParityMap } from './support/parity-map.ts';
import { camelCase } from './support/parity.ts';
import { takeShare } from './support/share.mjs';

/* Values of whatever kind in every field: what one dialect refuses, the other refuses, and both name the field. */

let map: ParityMap;
let tenant: Tenant;
let uuid: string;

const service = useService();

beforeAll(() => {
  map = parityMap(service.app.http.swagger(), createSchema());
});

/** Each has a rate limit of its own. */
beforeEach(async () => {
  tenant = await service.createTenant();
  uuid = (await service.createEvent(tenant.business)).uuid;
});

/** Routes that take an input, their twins, and what both accept. */
const inputs: Record<string, { url: () => string; mutation: () => string; fine: () => Record<string, unknown> }> = {
  'events.create': {
    url: () => '/v1/events',
    mutation: () => 'mutation ($input: CreateEventInput!) { it: createEvent(input: $input) { id } }',
    fine: () => newEvent,
  },
  'events.update': {
    url: () => `/v1/events/${uuid}`,
    mutation: () =>
      `mutation ($input: UpdateEventInput!) { it: updateEvent(id: "${uuid}", input: $input) { event { id } } }`,
    fine: () => ({}),
  },
  'users.create': {
    url: () => '/api/v1/users',
    mutation: () => 'mutation ($input: CreateUserInput!) { it: createUser(input: $input) { id } }',
    fine: () => ({
      email: `${randomUUID()}@example.com`,
      name: 'Robin Fields',
      role: 'staff',
      password: 'enough of a password',
    }),
  },
  'apiKeys.create': {
    url: () => '/v1/tokens/business',
    mutation: () => 'mutation ($input: CreateApiKeyInput!) { it: createApiKey(input: $input) { key } }',
    fine: () => ({ name: 'Payroll' }),
  },
  'users.update': {
    url: () => `/api/v1/users/${tenant.staff.id}`,
    mutation: () =>
      `mutation ($input: UpdateUserInput!) { it: updateUser(id: ${tenant.staff.id}, input: $input) { id } }`,
    fine: () => ({}),
  },
};

const values: readonly unknown[] = [null, 1, 1.5, true, '', 'BOGUS', ['x'], {}];

interface Verdict {
  readonly isRefused: boolean;
  readonly fields: readonly string[];
}

/** The field that an error is about, also where it names one item of a list: `expires_at`, `scopes.0`. */
const fieldOf = (path: string): string => camelCase(path.replace(/\..*/, ''));

async function inRest(operationId: string, sent: object): Promise<Verdict> {
  const { url, fine } = inputs[operationId]!;
  const { status, body } = await service.call(operationId.endsWith('create') ? 'POST' : 'PUT', url(), {
    as: tenant.as.admin,
    body: { ...fine(), ...sent },
  });
  if (status < 300) return { isRefused: false, fields: [] };
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'VALIDATION_FAILED' });
  return { isRefused: true, fields: Object.keys(body.errors).map(fieldOf) };
}

async function inGraphql(operationId: string, sent: Record<string, unknown>): Promise<Verdict> {
  const { mutation, fine } = inputs[operationId]!;
  const all = Object.entries({ ...fine(), ...sent }).map(([name, value]) => [
    camelCase(name),
    /^(status|role)$/.test(name) && typeof value === 'string' ? value.toUpperCase() : value,
  ]);
  const { body } = await service.graphql(mutation(), {
    as: tenant.as.admin,
    variables: { input: Object.fromEntries(all) },
  });
  const [error] = body.errors ?? [];
  if (!error) return { isRefused: false, fields: [] };
  const { code, errors } = error.extensions;
  if (code === 'VALIDATION_FAILED') return { isRefused: true, fields: Object.keys(errors).map(fieldOf) };
  // GraphQL's own types refuse it, by the place of the field.
  expect(code).toBe('BAD_USER_INPUT');
  const [, name = ''] = /"input\.(\w+)/.exec(error.message) ?? [];
  return { isRefused: true, fields: [name] };
}

describe.each(Object.keys(inputs))('%s', (operationId) => {
  test('accepts and refuses the same values in both dialects, field by field', async () => {
    const route = map.routes.find((each) => each.operationId === operationId)!;
    // In GraphQL the reason is a field of an object, which can be null where the reason cannot.
    const names = Object.keys(route.takes).filter(
      (name) => route.takes[name]?.in === 'body' && name !== 'override_reason',
    );
    expect(names.length).toBeGreaterThan(2);
    let refused = 0;
    const tried = takeShare(`types of ${operationId}`, names, 2);
    for (const name of tried)
      for (const value of values) {
        const rest = await inRest(operationId, { [name]: value });
        const graphql = await inGraphql(operationId, { [name]: value });
        expect({ name, value, ...graphql }).toEqual({ name, value, ...rest });
        if (rest.isRefused) {
          expect({ name, value, fields: rest.fields }).toEqual({ name, value, fields: [camelCase(name)] });
          refused++;
        }
      }
    expect(refused).toBeGreaterThan(tried.length);
  });
});
