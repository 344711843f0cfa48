import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import type { TestAnswer, TestApp } from './app.ts';
import type { Rows } from './changes.ts';

/*
 * Rows of several kinds that hold a number. A writer raises the number in one of several ways, and everybody who reads later must
 * see that number or a later one. That each table raises the revision, by which answers are kept, is tested for itself.
 */

export interface NumberedRow {
  readonly table: string;
  readonly column: string;
  /** Key column of the table; `id` by default. */
  readonly key?: string;
  readonly id: number;
  /** Text or amount that contains the number. */
  readonly spell: (number: number) => string;
  /** Writes through REST or GraphQL. */
  readonly write: (service: TestApp, as: string, text: string) => Promise<TestAnswer>;
}

const spell = (number: number) => `No ${number}`;
export function createNumberedRows(rows: Rows): Record<NumberedRowName, NumberedRow> {
  const { event, callTime, workShift, customField, user } = rows;
  const graphql =
    (field: string, name: string, input: (text: string) => string) => (service: TestApp, as: string, text: string) =>
      service.graphql(`mutation { ${field}(${name}${input(text)}) { __typename } }`, { as });
  const uuid = (row: { uuid: string }) => `id: "${row.uuid}"`;
  return {
    event: {
      table: 'events',
      column: 'title',
      id: event.id,
      spell,
      write: (service, as, title) => service.call('PUT', `/v1/events/${event.uuid}`, { as, body: { title } }),
    },
    callTime: {
      table: 'call_times',
      column: 'dress_code',
      id: callTime.id,
      spell,
      write: graphql('updateCallTime', uuid(callTime), (text) => `, input: { dressCode: "${text}" }`),
    },
    workShift: {
      table: 'work_shifts',
      column: 'pay_rate',
      id: workShift.id,
      spell: String,
      write: graphql('updateShift', uuid(workShift), (text) => `, input: { payRate: "${text}" }`),
    },
    customField: {
      table: 'custom_fields',
      column: 'name',
      id: customField.id,
      spell,
      write: graphql('updateCustomField', uuid(customField), (text) => `, input: { name: "${text}" }`),
    },
    customValue: {
      table: 'custom_field_values',
      column: 'value',
      key: 'custom_field_id',
      id: customField.id,
      spell,
      write: graphql(
        'setCustomFieldValues',
        `eventId: "${event.uuid}"`,
        (text) => `, values: [{ fieldId: "${customField.uuid}", value: "${text}" }]`,
      ),
    },
    user: {
      table: 'users',
      column: 'name',
      id: user.id,
      spell,
      write: (service, as, name) => service.call('PUT', `/api/v1/users/${user.id}`, { as, body: { name } }),
    },
  };
}

export type NumberedRowName = 'event' | 'callTime' | 'workShift' | 'customField' | 'customValue' | 'user';
export type SeenNumbers = Partial<Record<NumberedRowName, number>>;

/** Writes with SQL only, as an operator or another program would. */
export const update = (
  { table, column, key = 'id', id }: NumberedRow,
  businessId: number,
  text: string,
): Parameters<PrismaClient['$executeRawUnsafe']> => [
  `UPDATE ${table} SET ${column} = '${text}' WHERE business_id = $1 AND ${key} = $2`,
  businessId,
  id,
];

export interface Reader {
  readonly ask: (service: TestApp, as: string, headers: Record<string, string>) => Promise<TestAnswer>;
  readonly readNumbers: (body: TestAnswer['body']) => SeenNumbers;
}

const number = (text: string | number | null): number => Number(String(text).replace('No ', ''));

/** Reads that together return all these rows, through REST and GraphQL. */
export function createReaders(rows: Rows): Record<string, Reader> {
  const { event, customField, user } = rows;
  const rest = (url: string, readNumbers: Reader['readNumbers']): Reader => ({
    ask: (service, as, headers) => service.call('GET', url, { as, headers }),
    readNumbers,
  });
  // oxlint-disable-next-line no-explicit-any -- looked into freely
  const byId = (listed: any[], id: number) => listed.find((row) => (row.databaseId ?? row.id) === id);
  const childrenIn = (of: TestAnswer['body']): SeenNumbers => ({
    callTime: number(of.call_times[0].dress_code),
    workShift: number(of.work_shifts[0].pay_rate),
    customField: number(of.custom_fields[0].field_name),
    customValue: number(of.custom_fields[0].field_value),
  });
  const everything = `{
    event(id: "${event.uuid}") { title callTimes { dressCode } workShifts { payRate }
      customFields { fieldName fieldValue } }
    customFieldDefinitions { uuid name }
    user(id: ${user.id}) { name } }`;
  const inEverything: Reader['readNumbers'] = ({ data }) => ({
    event: number(data.event.title),
    callTime: number(data.event.callTimes[0].dressCode),
    workShift: number(data.event.workShifts[0].payRate),
    customField: number(data.event.customFields[0].fieldName),
    customValue: number(data.event.customFields[0].fieldValue),
    user: number(data.user.name),
  });
  return {
    'GET /v1/events': rest('/v1/events', ({ data: { data } }) => ({
      event: number(data[0].title),
      ...childrenIn(data[0]),
    })),
    'GET /v1/events/{uuid}': rest(`/v1/events/${event.uuid}`, ({ data }) => ({
      event: number(data.event.title),
      ...childrenIn(data),
    })),
    'GET /v1/objects/events': rest('/v1/objects/events', ({ data: { data } }) => ({ event: number(data[0].title) })),
    'GET /api/v1/users': rest('/api/v1/users', ({ data }) => ({
      user: number(byId(data, user.id).name),
    })),
    'POST /graphql': {
      ask: (service, as, headers) => service.graphql(everything, { as, headers }),
      readNumbers: inEverything,
    },
    'GET /graphql': {
      ask: (service, as, headers) =>
        service.call('GET', `/graphql?query=${encodeURIComponent('{ customFieldDefinitions { uuid name } }')}`, {
          as,
          headers: { ...headers, 'apollo-require-preflight': '1' },
        }),
      readNumbers: ({ data }) => ({
        customField: number(
          data.customFieldDefinitions.find((field: { uuid: string }) => field.uuid === customField.uuid).name,
        ),
      }),
    },
  };
}
