import Type, { type TObject, type TSchema } from 'typebox';
import type { OperationRecord } from '../access/operation-record.ts';
import type { Roles } from '../access/permissions.ts';
import { describeCsv } from './csv.ts';
import { idempotencyHeaders } from './idempotency.ts';
import { fullType } from './query.ts';
import { headersOf } from './response-headers.ts';
import { showsConflicts } from './route-errors.ts';
import type { AnyRoute } from './route-facts.ts';
import { ifMatchHeader, ifNewHeader, ifNoneMatchHeader, ifNoneMatchOfChange } from './versions.ts';

/** The parts of a request in the spelling of REST. */
export interface RequestSchemas {
  readonly params?: TObject | undefined;
  readonly query?: TObject | undefined;
  readonly body?: TObject | undefined;
  /** Names of the read-only fields that the body takes back. */
  readonly readOnly?: readonly string[] | undefined;
}

/** Marks an operation whose body may be left out, until the document is complete. */
export const optionalBody = 'x-optional-body';

/** Describes a route for Fastify, which checks nothing of it, and for the OpenAPI document. */
export function describeRoute(spec: AnyRoute, { params, query, body, readOnly = [] }: RequestSchemas) {
  const { operation } = spec.calls;
  return {
    tags: [spec.tag],
    summary: spec.summary,
    description: describe(spec, readOnly),
    operationId: spec.operationId ?? operation.name,
    security: securityOf(operation),
    ...(operation.scopes.length > 0 && { 'x-required-scopes': operation.scopes }),
    ...(spec.isExtension && { 'x-callboard-extension': true }),
    ...(body && spec.isBodyOptional && { [optionalBody]: true }),
    ...(params && { params }),
    ...(query && { querystring: markForExample(query, spec) }),
    ...(body && {
      body: {
        ...markForExample(body, spec),
        title: bodyNameOf(spec),
        ...(spec.example && { examples: [spec.example] }),
      },
    }),
    ...headersTaken(spec),
    response: {
      [spec.status ?? 200]: {
        ...contentOf(spec),
        description: spec.summary,
        headers: headersGiven(spec.status ?? 200, spec),
      },
      ...(spec.dryRun &&
        spec.status === 201 && {
          200: { ...contentOf(spec), description: texts[200], headers: headersGiven(200, spec) },
        }),
      ...(spec.upserts && {
        201: { ...contentOf(spec), description: texts[201], headers: headersGiven(201, spec) },
      }),
      ...(operation.cacheable && {
        304: { type: 'null', description: texts[304], headers: headersGiven(304, spec) },
      }),
      ...problems(spec),
    },
  };
}

/** Marks the optional properties that an example must have, also those of the items of a list. */
const markForExample = (schema: TObject, { exampleFields = [] }: Pick<AnyRoute, 'exampleFields'>): TObject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => {
      if (exampleFields.includes(name)) return [name, { ...property, 'x-in-example': true }];
      const { items } = property as { items?: TSchema };
      return [
        name,
        items && 'properties' in items
          ? { ...property, items: markForExample(items as TObject, { exampleFields }) }
          : property,
      ];
    }),
  ),
});

/** Media types of the answer: JSON in one or two shapes, and CSV for lists. */
const contentOf = ({ response, full, csv, isStream }: Pick<AnyRoute, 'response' | 'full' | 'csv' | 'isStream'>) =>
  isStream
    ? { content: { 'text/event-stream': { schema: { type: 'string' }, example: ':\n\n' } } }
    : csv || full
      ? {
          content: {
            'application/json': { schema: response },
            ...(full && { [fullType]: { schema: full.response } }),
            ...(csv && { 'text/csv': { schema: { type: 'string' } } }),
          },
        }
      : response;

const lastEventIdHeader = {
  'Last-Event-ID': Type.Optional(
    Type.String({ description: 'Id of the last event that the client has: the stream goes on behind it.' }),
  ),
};

function headersTaken({
  calls: { operation },
  ifMatch,
  upserts,
  isStream,
}: Pick<AnyRoute, 'calls' | 'ifMatch' | 'upserts' | 'isStream'>) {
  const headers = {
    ...(isStream && lastEventIdHeader),
    ...(operation.idempotent && idempotencyHeaders),
    ...(ifMatch && { ...ifMatchHeader, ...ifNoneMatchOfChange }),
    ...(upserts && ifNewHeader),
    ...(operation.cacheable && ifNoneMatchHeader),
  };
  return Object.keys(headers).length > 0 ? { headers: Type.Object(headers) } : {};
}

const headersGiven = (
  status: number,
  { calls: { operation }, etag, csv, created, dryRun }: Pick<AnyRoute, 'calls' | 'etag' | 'csv' | 'created' | 'dryRun'>,
) => headersOf(status, { operation, etag, hasCsv: csv !== undefined, created, dryRun });

/** Returns the name of the body's schema: `events.create` takes an `EventsCreateBody`. */
const bodyNameOf = ({ operationId, calls }: Pick<AnyRoute, 'calls' | 'operationId'>) =>
  `${(operationId ?? calls.operation.name).replaceAll(/(?:^|\.)\w/g, (part) => part.slice(-1).toUpperCase())}Body`;

/** Nothing says that no credential is read; an empty entry, that one may be left out. */
function securityOf({ roles, apiKey, writes }: OperationRecord) {
  if (roles === 'anyone' && writes) return [];
  const isForUsers = roles === 'anyone' || Object.keys(roles).some((role) => role !== 'screen');
  const credentials = [
    ...(isForUsers ? [{ personalToken: [] }] : []),
    ...(apiKey ? [{ apiKey: [] }] : []),
    ...(roles !== 'anyone' && 'screen' in roles ? [{ boardToken: [] }] : []),
  ];
  return roles === 'anyone' ? [{}, ...credentials] : credentials;
}

/** Says which read-only fields the body takes back. */
const describeWriteBack = (readOnly: readonly string[]) =>
  readOnly.length > 0 &&
  `What was read may be sent back: read-only fields (${readOnly
    .map((name) => `\`${name}\``)
    .join(', ')}) are accepted with the value that is stored, and refused with another.`;

function describeRoles({ screen, ...roles }: Exclude<Roles, 'anyone'>, apiKey: boolean): string {
  const names = Object.keys(roles).join(', ');
  if (names === '') return 'For screens, with their board token.';
  const others = [
    apiKey ? 'also with a business API key' : 'not with a business API key',
    screen && 'also for screens',
  ];
  return `For the roles ${names}; ${others.filter(Boolean).join('; ')}.`;
}

function describe({ description, calls, isExtension, csv }: AnyRoute, readOnly: readonly string[]) {
  const { roles, apiKey, scopes } = calls.operation;
  const who = roles === 'anyone' ? 'Needs no credential.' : describeRoles(roles, apiKey);
  const needs = scopes.length > 0 ? `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.` : '';
  const extension = isExtension ? 'This is an extension of the documented contract.' : '';
  return [description, describeWriteBack(readOnly), who, needs, extension, csv && describeCsv(csv.description)]
    .filter(Boolean)
    .join(' ');
}

function problems(spec: AnyRoute) {
  const { method, url, calls, params, query, body, conflicts, cursorExpires, ifMatch, namesVersions } = spec;
  const refOf = (status: number) =>
    `${url.startsWith('/api/v1') ? 'User' : status === 409 && showsConflicts(spec) ? 'Conflict' : ''}${status === 422 ? 'InputProblem' : 'Problem'}#`;
  const mayHaveBody = body || method === 'POST';
  const statuses = [
    ...(mayHaveBody ? [413, 415] : []),
    ...(mayHaveBody || ifMatch ? [400] : []),
    // Nearly every route refuses unknown query parameters.
    ...(body || calls.operation.roles !== 'anyone' || !calls.operation.writes ? [422] : []),
    ...(params || namesRow(query) || namesRow(body) ? [404] : []),
    ...(conflicts || calls.operation.idempotent ? [409] : []),
    ...(cursorExpires ? [410] : []),
    ...(ifMatch || namesVersions ? [412] : []),
    401,
    403,
    406,
    429,
    ...(calls.operation.writes ? [500] : []),
    503,
  ];
  return Object.fromEntries(
    statuses
      .sort()
      .map((status) => [
        status,
        { $ref: refOf(status), description: texts[status], headers: headersGiven(status, spec) },
      ]),
  );
}

/** Whether an input names the row that the call is about. */
const namesRow = (input: TObject | undefined) =>
  Object.values(input?.properties ?? {}).some((property) => 'identifies' in property);

const texts: Record<number, string> = {
  200: 'What `dry_run=true` shows; nothing is stored.',
  201: 'The row is new.',
  304: 'The answer named by If-None-Match is still current; there is no body.',
  400: 'The request is malformed.',
  401: 'The credential is missing, unknown, expired or revoked.',
  403: 'The caller may not do this, or calls over plain http in production. If the credential lacks a scope, `WWW-Authenticate` names it.',
  404: 'The business of the caller has no such row.',
  406: 'The client accepts none of the available content types.',
  409: 'In conflict with stored data.',
  410: 'The cursor has expired: read everything again.',
  412: 'The row has changed: no tag in If-Match, and no version in the body, names its current version.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The input is not valid: `errors` names each field.',
  429: 'The rate limit of the business is reached; `Retry-After` says how long to wait.',
  500: 'Nobody can tell whether the change was stored (`OUTCOME_UNKNOWN`): read before you send it again, or repeat it with its idempotency key.',
  503: 'Temporarily unavailable; `Retry-After` says when to try again.',
};
