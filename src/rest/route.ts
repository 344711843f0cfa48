import type { FastifyInstance } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { policy, type OperationName, type Rule } from '../access/policy.ts';
import type { CallScope } from '../access/scope.ts';
import { Failure } from '../errors.ts';
import { restDialect, snakeCase } from './dialect.ts';

interface RouteOf<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  operation: OperationName;
  /** In the OpenAPI document, where two routes serve one operation. */
  operationId?: string;
  tag: string;
  summary: string;
  description?: string;
  /** Not in the documented contract: ours beside it. */
  isExtension?: boolean;
  /** Whether what is stored can stand against it. */
  conflicts?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  status?: 200 | 201;
  response: R;
  handle: (scope: CallScope, input: { params: Static<P>; query: Static<Q>; body: Static<B> }) => Promise<Static<R>>;
}

/**
 * A route as data: its operation opens the door, its schemas are the service's own in REST's spelling, and both are its
 * documentation. The handler translates: service input in, contract shape out.
 */
export function route<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema>(
  app: FastifyInstance,
  spec: RouteOf<P, Q, B, R>,
): void {
  // Named as in the address, which the contract spells both ways.
  const inAddress = (name: string) => (spec.url.includes(`:${name}`) ? name : snakeCase(name));
  const params = spec.params && restDialect(spec.params, inAddress);
  const query = spec.query && restDialect(spec.query);
  const body = spec.body && restDialect(spec.body);
  const status = spec.status ?? 200;
  app.route({
    method: spec.method,
    url: spec.url,
    config: { entry: spec.operation },
    schema: {
      tags: [spec.tag],
      summary: spec.summary,
      description: describe(spec),
      operationId: spec.operationId ?? spec.operation,
      security: policy[spec.operation].roles === 'anyone' ? [] : security(policy[spec.operation]),
      ...(spec.isExtension && { 'x-callboard-extension': true }),
      ...(params && { params: params.schema }),
      ...(query && { querystring: query.schema }),
      ...(body && { body: body.schema }),
      response: { [status]: { ...spec.response, description: spec.summary }, ...problems(spec) },
    },
    handler: async (request, reply) => {
      try {
        const answer = await spec.handle(request.scope, {
          params: (params ? params.read(numbersOf(spec.params, request.params)) : {}) as Static<P>,
          query: (query ? query.read(request.query) : {}) as Static<Q>,
          body: (body ? body.read(request.body) : {}) as Static<B>,
        });
        return await reply.code(status).send(answer);
      } catch (error) {
        throw inRestNames(error);
      }
    },
  });
}

/** Path parameters arrive as text; one that is no plain number stays text and so names nothing. */
function numbersOf(schema: TObject | undefined, params: unknown): unknown {
  const isInteger = (name: string) => (schema?.properties[name] as { type?: string } | undefined)?.type === 'integer';
  return Object.fromEntries(
    Object.entries(params as Record<string, string>).map(([name, value]) => [
      name,
      isInteger(name) && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value,
    ]),
  );
}

function inRestNames(error: unknown): unknown {
  if (!(error instanceof Failure) || !error.errors) return error;
  const errors = Object.fromEntries(Object.entries(error.errors).map(([field, texts]) => [snakeCase(field), texts]));
  return new Failure(error.code, error.message, {
    errors,
    ...(error.retryAfterS !== undefined && { retryAfterS: error.retryAfterS }),
  });
}

const security = ({ apiKey }: Rule) => [{ personalToken: [] }, ...(apiKey ? [{ apiKey: [] }] : [])];

function describe({
  description,
  operation,
  isExtension,
}: {
  description?: string;
  operation: OperationName;
  isExtension?: boolean;
}) {
  const { roles, apiKey }: Rule = policy[operation];
  const who =
    roles === 'anyone'
      ? 'Needs no credential.'
      : `For the roles ${Object.keys(roles).join(', ')}; ${apiKey ? 'also with a business API key' : 'not with a business API key'}.`;
  const extension = isExtension ? 'An extension: not in the documented contract.' : '';
  return [description, who, extension].filter(Boolean).join(' ');
}

function problems({
  url,
  operation,
  params,
  query,
  body,
  conflicts,
}: Omit<RouteOf<TObject, TObject, TObject, TSchema>, 'handle'>) {
  const $ref = url.startsWith('/api/v1') ? 'UserProblem#' : 'Problem#';
  const statuses = [
    ...(body ? [400, 413, 415] : []),
    ...(body || query ? [422] : []),
    ...(params ? [404] : []),
    ...(conflicts ? [409] : []),
    ...(policy[operation].roles === 'anyone' ? [401] : [401, 403]),
    406,
    429,
    503,
  ];
  return Object.fromEntries(statuses.sort().map((status) => [status, { $ref, description: texts[status] }]));
}

const texts: Record<number, string> = {
  400: 'The request is malformed.',
  401: 'The credential is missing, unknown, expired or revoked.',
  403: 'The caller may not do this.',
  404: 'No such thing in the business of the caller.',
  406: 'The client accepts no JSON.',
  409: 'In conflict with what is stored.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The input is not valid: `errors` names each field.',
  429: 'The budget of the business is spent; `Retry-After` says for how long.',
  503: 'Not available now; `Retry-After` says when to try again.',
};
