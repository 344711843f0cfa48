import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Operation } from '../access/operation.ts';
import type { OperationRecord } from '../access/operation-record.ts';
import type { CallScope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { AnswerTooLarge, Failure, invalid } from '../errors.ts';
import { negotiateCsv } from '../http/csv.ts';
import type { CsvExports } from '../http/exports.ts';
import { measureJson, stringifyPieces } from '../http/json-size.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { compile } from '../validation/compile.ts';
import { describeCsv, toCsvExport, type ListCsv } from './csv.ts';
import { restDialect, snakeCase, spellErrors } from './dialect.ts';
import { idempotencyHeaders, replayedHeader, withKeyHeader } from './idempotency.ts';
import { readQuery } from './query.ts';
import {
  etagHeaders,
  ifMatchHeader,
  ifNoneMatchHeader,
  OfVersion,
  readIfMatch,
  setVersionTag,
  tagBytes,
  type Precondition,
} from './versions.ts';

/** The parts of the app that REST routes need. */
export interface RestApp {
  readonly http: FastifyInstance;
  readonly responseCache: ResponseCache;
  readonly csvExports: CsvExports;
}

interface RouteOf<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  /** The operation that the route serves. Its record gives the permission, security, caching and retries. */
  calls: Pick<Operation<TSchema, unknown>, 'operation'>;
  /** Id in the OpenAPI document. Needed where two routes serve one operation. */
  operationId?: string;
  tag: string;
  summary: string;
  description?: string;
  /** Marks an extension of the documented contract. */
  isExtension?: boolean;
  /** Whether the call can be refused because it conflicts with what is stored (409). */
  conflicts?: boolean;
  /**
   * Content that the entity tag identifies: the version of the row, or also the bytes if the answer holds more than the
   * row. Without it, a cacheable read has the tag of the response cache, which identifies the revision of the business.
   */
  etag?: 'row' | 'bytes';
  /** Whether the route takes If-Match and changes only the version named there. */
  ifMatch?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  /** REST's names of fields that stand at another path in the operation's input, by that path. */
  errorNames?: Readonly<Record<string, string>>;
  status?: 200 | 201;
  response: R;
  /** The CSV form of the answer, if it is a list. */
  csv?: ListCsv<P, Q>;
  /** Passes the input on as it was sent, because the operation checks it. */
  handle: (
    scope: CallScope,
    input: { params: Static<P>; query: Static<Q>; body: Static<B>; precondition: Precondition },
  ) => Promise<Static<R> | OfVersion<Static<R>>>;
}

/** The facts of a route, without its handler and its CSV rows. */
interface AnyRoute extends Omit<RouteOf<TObject, TObject, TObject, TSchema>, 'handle' | 'csv'> {
  csv?: { readonly description?: string };
}

/**
 * Adds a route. Its operation decides who may call it; its schemas are those of the service in the spelling of REST; OpenAPI
 * is made of both. The handler translates: input of the service in, shape of the contract out.
 */
export function route<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema>(
  { http, responseCache, csvExports }: RestApp,
  spec: RouteOf<P, Q, B, R>,
): void {
  // A parameter is spelled as in the URL, where the contract uses both spellings.
  const inAddress = (name: string) => (spec.url.includes(`:${name}`) ? name : snakeCase(name));
  const params = spec.params && restDialect(spec.params, inAddress);
  const query = spec.query && restDialect(spec.query);
  const body = spec.body && restDialect(spec.body);
  // An export holds a snapshot and counts as an attempt, so its query is checked before one is opened.
  const checkExport = spec.csv && query ? compile(query.schema) : undefined;
  const status = spec.status ?? 200;
  const { operation } = spec.calls;
  http.route({
    method: spec.method,
    url: spec.url,
    config: { entry: operation, ...(spec.csv && { givesCsv: true }) },
    schema: {
      tags: [spec.tag],
      summary: spec.summary,
      description: describe(spec),
      operationId: spec.operationId ?? operation.name,
      security: securityOf(operation),
      ...(spec.isExtension && { 'x-callboard-extension': true }),
      ...(params && { params: params.schema }),
      ...(query && { querystring: query.schema }),
      ...(body && { body: { ...body.schema, title: bodyNameOf(spec) } }),
      ...headersTaken(spec),
      response: {
        [status]: { ...contentOf(spec), description: spec.summary, ...headersGiven(spec) },
        ...(operation.cacheable && { 304: { type: 'null', description: texts[304], ...headersGiven(spec) } }),
        ...problems(spec),
      },
    },
    ...(operation.cacheable && { onRequest: async (request, reply) => sendIfCached(responseCache, request, reply) }),
    handler: async (request, reply) => {
      try {
        const querySent = query ? readQuery(query.schema, request.query) : {};
        const input = {
          params: (params ? params.read(numbersOf(spec.params, request.params)) : {}) as Static<P>,
          query: (query ? query.read(querySent) : {}) as Static<Q>,
        };
        if (spec.csv && negotiateCsv(reply, ['application/json'])) {
          checkExport?.(querySent);
          await csvExports.send(reply, toCsvExport(spec.csv, request.scope, input, request.record.answer));
          return await reply;
        }
        const answer = await spec.handle(operation.idempotent ? withKeyHeader(request, reply) : request.scope, {
          body: (body ? body.read(request.body) : {}) as Static<B>,
          precondition: spec.ifMatch ? readIfMatch(request.headers['if-match']) : {},
          ...input,
        });
        if (operation.cacheable) return await sendAndStore(responseCache, reply, answer);
        return await reply.code(status).send(answer instanceof OfVersion ? setVersionTag(reply, answer) : answer);
      } catch (error) {
        throw inRestNames(request.record.answer.refusal ?? error, spec);
      }
    },
  });
}

/** Runs before the body is read: a hit needs neither validation nor the handler. */
async function sendIfCached(cache: ResponseCache, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const key = cache.identify(request, [request.url, request.headers.accept ?? '']);
  const hit = key && cache.find(request, key);
  return hit ? cache.sendCached(reply, hit) : undefined;
}

/**
 * The answer is typed by its schema, and written by JSON.stringify: src/guide/performance.md#json-stringify
 * A long list is written while it is sent.
 */
function sendAndStore(cache: ResponseCache, reply: FastifyReply, answer: unknown): FastifyReply {
  const { answer: size } = reply.request.record;
  const body = answer instanceof OfVersion ? answer.body : answer;
  // Few rows give no long answer: it need not be measured.
  const isShort = size.rowsAsJsonBytes <= Math.min(limits.answerWholeBytes, size.bytesMax);
  const bytes = isShort ? 0 : measureJson(body, size.bytesMax);
  if (bytes > size.bytesMax) throw size.refuseLength();
  void reply.type('application/json; charset=utf-8');
  if (!(answer instanceof OfVersion) && bytes > limits.answerWholeBytes)
    return cache.sendUnstored(reply, Readable.from(stringifyPieces(body)));
  const json = JSON.stringify(body);
  size.takeText(json);
  return cache.sendAndStore(reply, json, answer instanceof OfVersion ? tagBytes(answer, json) : undefined);
}

/** Media types of the answer: JSON, and CSV for lists. */
const contentOf = ({ response, csv }: { response: TSchema; csv?: object }) =>
  csv
    ? { content: { 'application/json': { schema: response }, 'text/csv': { schema: { type: 'string' } } } }
    : response;

function headersTaken({ calls: { operation }, ifMatch }: Pick<AnyRoute, 'calls' | 'ifMatch'>) {
  const headers = {
    ...(operation.idempotent && idempotencyHeaders),
    ...(ifMatch && ifMatchHeader),
    ...(operation.cacheable && ifNoneMatchHeader),
  };
  return Object.keys(headers).length > 0 ? { headers: Type.Object(headers) } : {};
}

function headersGiven({ calls: { operation }, etag }: Pick<AnyRoute, 'calls' | 'etag'>) {
  const kind = etag ?? (operation.cacheable ? 'revision' : undefined);
  const headers = { ...(kind && { ETag: etagHeaders[kind] }), ...(operation.idempotent && replayedHeader) };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

/** Path parameters arrive as text. One that is not a plain number stays text, and so names no row. */
function numbersOf(schema: TObject | undefined, params: unknown): unknown {
  const isInteger = (name: string) => (schema?.properties[name] as { type?: string } | undefined)?.type === 'integer';
  return Object.fromEntries(
    Object.entries(params as Record<string, string>).map(([name, value]) => [
      name,
      isInteger(name) && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value,
    ]),
  );
}

function inRestNames(error: unknown, spec: Pick<AnyRoute, 'errorNames' | 'query' | 'params'>): unknown {
  if (error instanceof AnswerTooLarge) return invalid(tooLargeErrors(error, spec));
  if (!(error instanceof Failure) || !error.errors) return error;
  return new Failure(error.code, error.message, {
    errors: spellErrors(error.errors, spec.errorNames),
    ...(error.retryAfterS !== undefined && { retryAfterS: error.retryAfterS }),
  });
}

/** Names what to ask for instead: smaller pages, or for one row, its parts through GraphQL. */
function tooLargeErrors({ excess }: AnswerTooLarge, { query, params }: Pick<AnyRoute, 'query' | 'params'>) {
  if (query && 'perPage' in query.properties) return { per_page: [`must be smaller: the answer would take ${excess}`] };
  const [name = 'input'] = Object.keys(params?.properties ?? {});
  return { [name]: [`names too much for one answer, ${excess}: read its lists page by page through GraphQL`] };
}

/** Returns the name of the body's schema: `events.create` takes an `EventsCreateBody`. */
const bodyNameOf = ({ operationId, calls }: Pick<AnyRoute, 'calls' | 'operationId'>) =>
  `${(operationId ?? calls.operation.name).replaceAll(/(?:^|\.)\w/g, (part) => part.slice(-1).toUpperCase())}Body`;

const securityOf = ({ roles, apiKey, scopes }: OperationRecord) =>
  roles === 'anyone' ? [] : [{ personalToken: scopes }, ...(apiKey ? [{ apiKey: scopes }] : [])];

function describe({ description, calls, isExtension, csv }: AnyRoute) {
  const { roles, apiKey, scopes } = calls.operation;
  const who =
    roles === 'anyone'
      ? 'Needs no credential.'
      : `For the roles ${Object.keys(roles).join(', ')}; ${apiKey ? 'also with a business API key' : 'not with a business API key'}.`;
  const needs = scopes.length > 0 ? `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.` : '';
  const extension = isExtension ? 'This is an extension of the documented contract.' : '';
  return [description, who, needs, extension, csv && describeCsv(csv.description)].filter(Boolean).join(' ');
}

function problems({ url, calls, params, query, body, conflicts, ifMatch }: AnyRoute) {
  const refOf = (status: number) =>
    `${url.startsWith('/api/v1') ? 'User' : ''}${status === 422 ? 'InputProblem' : 'Problem'}#`;
  const statuses = [
    ...(body ? [413, 415] : []),
    ...(body || ifMatch ? [400] : []),
    ...(body || query ? [422] : []),
    ...(params ? [404] : []),
    ...(conflicts || calls.operation.idempotent ? [409] : []),
    ...(ifMatch ? [412] : []),
    401,
    403,
    406,
    429,
    503,
  ];
  return Object.fromEntries(
    statuses.sort().map((status) => [status, { $ref: refOf(status), description: texts[status] }]),
  );
}

const texts: Record<number, string> = {
  304: 'The answer named by If-None-Match is still current; there is no body.',
  400: 'The request is malformed.',
  401: 'The credential is missing, unknown, expired or revoked.',
  403: 'The caller may not do this, or calls over plain http in production. If the credential lacks a scope, `WWW-Authenticate` names it.',
  404: 'The business of the caller has no such row.',
  406: 'The client accepts none of the available content types.',
  409: 'In conflict with stored data.',
  412: 'The row has changed: no tag in If-Match names its current version.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The input is not valid: `errors` names each field.',
  429: 'The rate limit of the business is reached; `Retry-After` says how long to wait.',
  503: 'Temporarily unavailable; `Retry-After` says when to try again.',
};
