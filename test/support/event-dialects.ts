import { expect } from '@jest/globals';
import type { TestApp } from './app.ts';
import { shownFields } from './event-fields.ts';
import { flattenRow } from './flat-rows.ts';

/** An event's fields by GraphQL's names; REST's are derived. */
export type EventFields = Record<string, unknown>;

/** How a call ended, told the same way for both dialects. */
interface Outcome {
  /** `OK`, or the code of the failure. */
  readonly code: string;
  /** Texts by field, in GraphQL's names. */
  readonly errors: Record<string, string[]>;
  /** Uuid of the event that was created or changed. */
  readonly uuid: string | null;
}

export interface EventDialect {
  create(as: string, fields: EventFields): Promise<Outcome>;
  update(as: string, uuid: string, fields: EventFields): Promise<Outcome>;
}

export const required = {
  title: 'Spring gala',
  startTime: '2026-12-31 18:00:00',
  endTime: '2027-01-01 02:00:00',
  timezone: 'America/New_York',
};

export const ownFields = shownFields.event;

/** Fields of an event with the rows that it points to, which take further statements. `readEvent` flattens them. */
export const wholeEvent = `${ownFields} client { databaseId } callTimes { ${shownFields.callTime} }
  workShifts { ${shownFields.workShift} callTime { databaseId } user { databaseId } }
  customFields { fieldUuid fieldName fieldValue }`;

export const children = `
  callTimes { ${shownFields.callTime} }
  workShifts { ${shownFields.workShift} }
  customFields { fieldUuid fieldName fieldValue }`;

export const snakeCase = (name: string): string => name.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`);
const camelCase = (name: string): string => name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

const renamed = <T>(fields: Record<string, T>, rename: (name: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]));

/** The two ways to write an event. */
export function eventDialects(service: () => TestApp): Record<'REST' | 'GraphQL', EventDialect> {
  const rest = async (as: string, method: 'POST' | 'PUT', url: string, fields: EventFields): Promise<Outcome> => {
    const { status, body } = await service().call(method, url, { as, body: renamed(fields, snakeCase) });
    const ok = method === 'POST' ? 201 : 200;
    const code: string = body.success ? 'OK' : body.code;
    expect({ code, status }).toEqual({ code, status: { OK: ok, VALIDATION_FAILED: 422, NOT_FOUND: 404 }[code] });
    return { code, errors: renamed(body.errors ?? {}, camelCase), uuid: body.data?.uuid ?? null };
  };
  const graphql = async (as: string, query: string, fields: EventFields, uuid?: string): Promise<Outcome> => {
    const { status } = fields;
    const input = typeof status === 'string' ? { ...fields, status: status.toUpperCase() } : fields;
    const { body } = await service().graphql(query, { as, variables: { input, uuid } });
    const [error] = body.errors ?? [];
    return {
      code: error?.extensions.code ?? 'OK',
      errors: error?.extensions.errors ?? {},
      uuid: (body.data?.written?.event ?? body.data?.written)?.uuid ?? null,
    };
  };
  return {
    REST: {
      create: (as, fields) => rest(as, 'POST', '/v1/events', fields),
      update: (as, uuid, fields) => rest(as, 'PUT', `/v1/events/${encodeURIComponent(uuid)}`, fields),
    },
    GraphQL: {
      create: (as, fields) =>
        graphql(as, 'mutation ($input: CreateEventInput!) { written: createEvent(input: $input) { uuid } }', fields),
      update: (as, uuid, fields) =>
        graphql(
          as,
          'mutation ($uuid: ID!, $input: UpdateEventInput!) { written: updateEvent(id: $uuid, input: $input) { event { uuid } } }',
          fields,
          uuid,
        ),
    },
  };
}

/** An event as GraphQL tells it, which shows every field there is. */
export async function readEvent(service: TestApp, as: string, uuid: string | null) {
  const { body } = await service.graphql(`query ($uuid: ID!) { event(id: $uuid) { ${wholeEvent} } }`, {
    as,
    variables: { uuid },
  });
  expect(body.errors).toBeUndefined();
  return flattenRow(body.data.event);
}
