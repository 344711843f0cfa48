import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import type { Actor } from '../access/actor.ts';
import type { Authenticate } from '../access/authenticate.ts';
import type { OperationRecord } from '../access/operation-record.ts';
import { admit } from '../access/operation.ts';
import type { Payer, Purpose, RateLimits, RateLimitState } from '../access/rate-limits.ts';
import type { CallScope } from '../access/scope.ts';
import type { Scopes } from '../access/scopes.ts';
import type { Config } from '../config/config.ts';
import { limits, requestPointsMax } from '../config/limits.ts';
import { Failure, forbidden, invalid, unauthenticated } from '../errors.ts';
import { headerValues, isHttps, isOnLoopback } from './headers.ts';

/**
 * The content of a route: an operation; 'graphql', where each field calls its own operation; 'page', which needs no
 * credential and costs nothing; or 'nothing', for an address or a verb that is not served.
 */
type Entry = OperationRecord | 'graphql' | 'page' | 'nothing';

declare module 'fastify' {
  interface FastifyContextConfig {
    entry?: Entry;
  }
  interface FastifyRequest {
    scope: CallScope;
    /**
     * Takes further points from the rate limit of the caller, beyond the one that every request costs. If they exceed it, the request
     * is refused, except where the points are for what is done already.
     */
    consume: (points: number, isDone?: boolean) => Promise<RateLimitState>;
  }
}

export interface AuthenticationParts {
  readonly config: Config;
  readonly authenticate: Authenticate;
  readonly rateLimits: RateLimits;
  readonly scopes: Scopes;
  readonly onRateLimitExceeded?: ((payer: Payer) => void) | undefined;
}

/** The only way to a scope, before any body is read: credential -> actor -> rate limit -> permission -> scope. */
export const authenticationHook = fp(async (app: FastifyInstance, parts: AuthenticationParts) => {
  refuseUndeclaredRoutes(app);
  app.decorateRequest('scope');
  app.decorateRequest('consume');

  app.addHook('onRequest', async (request, reply) => {
    const entry = request.routeOptions.config.entry ?? 'nothing';
    if (entry === 'page') return;
    const { actor, refusal } = await identify(parts, request, entry);
    request.record.actor = actor;
    if (actor.kind !== 'anonymous') {
      request.record.payer = actor.businessId;
      request.record.answer.payer = actor.businessId;
    }
    const purpose = takesPassword(entry) && !refusal ? 'log-in' : 'other';
    const rateLimit = await startConsuming(parts, { actor, purpose }, request, reply);
    if (refusal) throw refusal;
    const { log, ip: address, id: requestId } = request;
    const userAgent = request.headers['user-agent']?.slice(0, limits.textChars) || null;
    const used = (operation: OperationRecord) => void request.record.operations.add(operation);
    const onLaterRevision = () => void (request.record.isOfLaterRevision = true);
    const { writes } = request.record;
    const payForRows = (rows: number, field: string) => consumeForRows(request, rows, field);
    const opened = { log, address, requestId, userAgent, rateLimit, used, writes, payForRows, onLaterRevision };
    request.scope = parts.scopes.open(actor, opened);
    if (isOperation(entry)) await admit(request.scope, entry);
  });

  // A 304 costs little more than the look-up of the credential, because the client has the answer already.
  app.addHook('onSend', async (request, reply) => {
    const { points, actor } = request.record;
    if (reply.statusCode === 304 && actor && points > lightPoints) await request.consume(lightPoints - points);
  });
});

/** Points of a light read, and of an answer 304. */
const lightPoints = 1 / limits.rateLimitParts;

/** Takes the point that the request costs. The result reads the state of the rate limit after all points taken so far. */
async function startConsuming(
  { rateLimits, onRateLimitExceeded }: AuthenticationParts,
  { actor, purpose }: { actor: Actor; purpose: Purpose },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<() => RateLimitState> {
  let state: RateLimitState;
  request.consume = async (points, isDone = false) => {
    request.record.points += points;
    state = await rateLimits.consume(actor, request.ip, points, purpose);
    showRateLimit(reply, state);
    if (!state.isExceeded || points < 0 || isDone) return state;
    onRateLimitExceeded?.(state.payer);
    throw rateLimitExceeded(state);
  };
  const { entry = 'nothing' } = request.routeOptions.config;
  await request.consume(isOperation(entry) && entry.isLight ? lightPoints : 1);
  return () => state;
}

/** Takes the points of a batch, beyond the one of its request. */
async function consumeForRows({ record, consume }: FastifyRequest, rows: number, field: string): Promise<void> {
  const points = Math.floor(rows / limits.rowsAPoint);
  const left = Math.floor(requestPointsMax - record.points);
  if (points > left)
    throw invalid({
      [field]: [
        `has ${rows} rows, with which the request would cost more than ${requestPointsMax} points of the rate limit: send at most ${(left + 1) * limits.rowsAPoint - 1} rows at a time`,
      ],
    });
  if (points > 0) await consume(points);
}

/** A refusal of the credential is returned instead of thrown, because a refused call costs points as well. */
async function identify(
  { config, authenticate }: AuthenticationParts,
  request: FastifyRequest,
  entry: Entry,
): Promise<{ actor: Actor; refusal?: Failure }> {
  const actor: Actor = { kind: 'anonymous' };
  const need = credentialNeed(entry);
  const authorization = need === 'ignored' ? [] : headerValues(request, 'authorization');
  const isExposed = config.env === 'production' && !isHttps(request) && !isOnLoopback(request);
  if (isExposed && (authorization.length > 0 || takesPassword(entry)))
    return { actor, refusal: forbidden('Credentials are accepted only over https.') };
  if (authorization.length === 0) return need === 'required' ? { actor, refusal: unauthenticated() } : { actor };
  try {
    return { actor: await authenticate(authorization) };
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'UNAUTHENTICATED')) throw error;
    return need === 'counted' ? { actor } : { actor, refusal: error };
  }
}

/** Stops the start of the service if a route declares neither its operation nor that it is public. */
function refuseUndeclaredRoutes(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const undeclared = routes.find(({ config }) => !config?.entry);
    if (undeclared) throw new Error(`${String(undeclared.method)} ${undeclared.url} does not say who may call it.`);
  });
}

const isOperation = (entry: Entry): entry is OperationRecord => typeof entry === 'object';

/** Whether a caller without a credential can send a password. */
const takesPassword = (entry: Entry): boolean =>
  entry === 'graphql' || (isOperation(entry) && entry.roles === 'anyone' && entry.writes);

/** How a route uses the credential. 'counted': it only decides whose rate limit is used. */
type CredentialNeed = 'ignored' | 'counted' | 'optional' | 'required';

function credentialNeed(entry: Entry): CredentialNeed {
  if (entry === 'graphql') return 'optional';
  if (entry === 'nothing' || entry === 'page') return 'counted';
  if (entry.roles !== 'anyone') return 'required';
  // A log-in is for callers without a credential; a read may show more to those with one.
  return entry.writes ? 'ignored' : 'optional';
}

const rateLimitExceeded = ({ limit, resetS }: RateLimitState) =>
  new Failure(
    'RATE_LIMITED',
    `The rate limit of ${limit} requests a minute is used up. Wait ${Math.max(1, resetS)} s.`,
    {
      retryAfterS: Math.max(1, resetS),
    },
  );

function showRateLimit(reply: FastifyReply, { limit, remaining, resetS }: RateLimitState): void {
  reply.headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': resetS });
}
