import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { Rehearsed, rehearsing } from '../access/operation.ts';
import type { CallScope } from '../access/scope.ts';
import { endsWithSlash, Failure, noSuchAddress } from '../errors.ts';
import { negotiateCsv } from '../http/answer-headers.ts';
import { csvType } from '../http/csv.ts';
import { withDryRun } from '../http/dry-run.ts';
import { withKeyHeader } from '../http/headers.ts';
import type { EventStreams } from '../http/event-streams.ts';
import type { CsvExports } from '../http/exports.ts';
import { writeJson } from '../http/json.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { compile } from '../validation/compile.ts';
import { toCsvExport } from './csv.ts';
import { restDialect, snakeCase } from './dialect.ts';
import { takeDryRun, withDryRunQuery } from './dry-run.ts';
import {
  fullType,
  noteUnknownParameters,
  readQuery,
  takeFieldsQuery,
  withFieldsQuery,
  withUnknownParameters,
} from './query.ts';
import { describeRoute } from './route-description.ts';
import { inRestNames } from './route-errors.ts';
import type { AnyRoute, RouteOf } from './route-facts.ts';
import {
  OfVersion,
  readIfMatch,
  readIfNoneMatch,
  readUpsertPrecondition,
  setVersionTag,
  tagBytes,
} from './versions.ts';
import { createWriteBack, listReadOnly, noteRead, type WrittenBody } from './write-back.ts';

/** The parts of the app that REST routes need. */
export interface RestApp {
  readonly http: FastifyInstance;
  readonly responseCache: ResponseCache;
  readonly csvExports: CsvExports;
  readonly eventStreams: EventStreams;
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
  const ownQuery = spec.dryRun ? withDryRunQuery(spec.query) : spec.query;
  const query = spec.full ? restDialect(withFieldsQuery(ownQuery)) : ownQuery && restDialect(ownQuery);
  const body = spec.body && restDialect(spec.body);
  if (spec.method === 'GET') noteRead(http, spec.url, spec);
  const readOnly =
    body && spec.method === 'PUT'
      ? listReadOnly(http, spec.url, { body: body.schema, response: spec.response }, spec.writeBack)
      : undefined;
  const takeBack = readOnly && createWriteBack(http, spec.url, readOnly, spec.writeBack);
  // An export holds a snapshot and counts as an attempt, so its query is checked before one is opened.
  const checkExport = spec.csv && query ? compile(query.schema) : undefined;
  const status = spec.status ?? 200;
  const { operation } = spec.calls;
  http.route({
    method: spec.method,
    url: spec.url,
    config: { entry: operation, ...(spec.csv && { mediaTypes: ['application/json', csvType] }) },
    schema: describeRoute(spec, {
      params: params?.schema,
      query: query?.schema,
      body: body?.schema,
      readOnly: readOnly?.names,
    }),
    ...((spec.body === undefined || spec.isBodyOptional) &&
      spec.method !== 'GET' && { onRequest: ignoreTypeOfNothing }),
    ...(operation.cacheable && { onRequest: async (request, reply) => sendIfCached(responseCache, request, reply) }),
    handler: async (request, reply) => {
      let written: WrittenBody = {
        body: spec.isBodyOptional && request.body === undefined ? {} : request.body,
        faults: {},
      };
      const { unknownParameters } = request;
      try {
        const querySent = query ? readQuery(query.schema, request.query) : {};
        const isDryRun = spec.dryRun === true && takeDryRun(querySent);
        const full = spec.full && takeFieldsQuery(querySent) === 'full' ? spec.full : undefined;
        const input = {
          params: (params ? params.read(numbersOf(params.schema, request.params)) : {}) as Static<P>,
          query: (query ? query.read(querySent) : {}) as Static<Q>,
        };
        if (spec.csv && !unknownParameters && negotiateCsv(reply, ['application/json'])) {
          checkExport?.(querySent);
          if (request.method === 'HEAD') {
            await spec.handle(request.scope, { ...input, body: {} as Static<B>, precondition: {}, log: request.log });
            return csvExports.sendHead(reply, spec.csv.name, clockOf(request.scope)());
          }
          await csvExports.send(reply, toCsvExport(spec.csv, request.scope, input, request.record.answer));
          return await reply;
        }
        if (full && !unknownParameters)
          return await sendAndStore(responseCache, reply, await full.handle(request.scope, input), fullType);
        if (takeBack) written = await takeBack(request.scope, input.params, request.body);
        const keyed = operation.idempotent ? withKeyHeader(request, reply) : request.scope;
        const scope = spec.dryRun ? withDryRun(keyed, isDryRun) : keyed;
        const sent = { body: (body ? body.read(written.body) : {}) as Static<B>, log: request.log, ...input };
        const precondition = readPrecondition(spec, request.headers);
        const excluded = spec.ifMatch && !spec.upserts ? readIfNoneMatch(request.headers['if-none-match']) : null;
        if (excluded) await refuseExcluded(spec.handle(rehearsing(scope), { ...sent, precondition: excluded }));
        const answer = await spec.handle(unknownParameters ? rehearsing(scope) : scope, { ...sent, precondition });
        if (unknownParameters) throw new Rehearsed();
        if (isDryRun)
          return await reply
            .header('callboard-dry-run', 'true')
            .send(answer instanceof OfVersion ? answer.body : answer);
        if (spec.created && statusOf(answer, status) === 201) reply.header('location', locate(spec.created, answer));
        if (operation.cacheable) return await sendAndStore(responseCache, reply, answer);
        return await reply
          .code(statusOf(answer, status))
          .send(answer instanceof OfVersion ? setVersionTag(reply, answer) : answer);
      } catch (error) {
        const failure = inRestNames(request.record.answer.refusal ?? error, spec, written.faults);
        throw unknownParameters ? withUnknownParameters(failure, unknownParameters) : failure;
      }
    },
  });
}

function readPrecondition({ ifMatch, upserts }: Pick<AnyRoute, 'ifMatch' | 'upserts'>, headers: IncomingHttpHeaders) {
  if (upserts) return readUpsertPrecondition(headers['if-match'], headers['if-none-match']);
  return ifMatch ? readIfMatch(headers['if-match']) : {};
}

/** Throws if the row is there in a version that `If-None-Match` names. The change is tried, and rolled back. */
async function refuseExcluded(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (error instanceof Failure && error.code === 'PRECONDITION_FAILED') return;
    if (error instanceof Rehearsed)
      throw new Failure('PRECONDITION_FAILED', 'The row is there, in a version that If-None-Match names.');
    throw error;
  }
}

const statusOf = (answer: unknown, usual: number): number =>
  answer instanceof OfVersion ? (answer.status ?? usual) : usual;

const clockOf = (scope: CallScope) => ('clock' in scope ? scope.clock : () => new Date());

/** Fills the fields of the new row into its address. */
function locate(address: string, answer: unknown): string {
  const { data } = (answer instanceof OfVersion ? answer.body : answer) as { data: Record<string, unknown> };
  return address.replace(/:(\w+)/, (_, name: string) => encodeURIComponent(String(data[name])));
}

/** Some clients name a form as the type of a body that is not there, where the route takes none. */
async function ignoreTypeOfNothing({ headers }: FastifyRequest): Promise<void> {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) delete headers['content-type'];
}

/** Runs before the body is read: a hit needs neither validation nor the handler. */
async function sendIfCached(cache: ResponseCache, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (request.unknownParameters) return undefined;
  const key = cache.identify(request, [request.url, request.headers.accept ?? '']);
  if (!key) return undefined;
  let hit = cache.find(request, key);
  if (!hit && (await cache.waitForEqual(request, key))) hit = cache.find(request, key);
  return hit ? cache.sendCached(reply, hit) : undefined;
}

/** The answer is typed by its schema, and written by JSON.stringify: src/guide/performance.md#json-stringify */
function sendAndStore(
  cache: ResponseCache,
  reply: FastifyReply,
  answer: unknown,
  type: string = 'application/json',
): FastifyReply {
  const { answer: size } = reply.request.record;
  const body = answer instanceof OfVersion ? answer.body : answer;
  // Few rows give no long answer: it need not be counted.
  const json = size.rowsAsJsonBytes <= size.bytesMax ? JSON.stringify(body) : writeJson(body, size.bytesMax);
  if (json === null) throw size.refuseLength();
  size.takeText(json);
  void reply.type(`${type}; charset=utf-8`);
  return cache.sendAndStore(reply, json, answer instanceof OfVersion ? tagBytes(answer, json) : undefined);
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

export type AddRoutes = (app: RestApp) => void;

interface RestParts extends Omit<RestApp, 'http'> {
  readonly routes: readonly AddRoutes[];
}

/** The REST API, in the order in which the reference shows it. */
export async function restRoutes(http: FastifyInstance, { routes, ...parts }: RestParts): Promise<void> {
  http.decorateRequest('unknownParameters', null);
  http.addHook('onRequest', async (request, reply) => {
    const { mediaTypes = ['application/json'] } = request.routeOptions.config;
    if (request.headers.accept !== undefined && request.accepts().type([...mediaTypes]) === false)
      throw new Failure('NOT_ACCEPTABLE', `Answers are ${mediaTypes.join(' or ')}.`);
    // Its last parameter would be empty, and no row has an empty id.
    if (endsWithSlash(request.url)) throw noSuchAddress(request.url);
    noteUnknownParameters(request, reply);
  });
  for (const addRoutes of routes) addRoutes({ http, ...parts });
}
