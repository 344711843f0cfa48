import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import type { Actor } from '../access/actor.ts';
import type { Authenticate } from '../access/authenticate.ts';
import { admit } from '../access/operation.ts';
import { policy, type OperationName } from '../access/policy.ts';
import type { Budgets, BudgetState } from '../access/rate-limits.ts';
import type { CallScope, Scopes } from '../access/scope.ts';
import type { Config } from '../config/config.ts';
import { Failure, forbidden, unauthenticated } from '../errors.ts';
import { headerValues } from './headers.ts';
import { isHttps, isOnLoopback } from './transport.ts';

/**
 * What a route is: an operation of the policy; 'graphql', where each field asks the policy; 'page', which costs and needs
 * nothing; or 'nothing', an address or a verb that is not served.
 */
export type Entry = OperationName | 'graphql' | 'page' | 'nothing';

declare module 'fastify' {
  interface FastifyContextConfig {
    entry?: Entry;
  }
  interface FastifyRequest {
    scope: CallScope;
    /** Takes further points from the caller's budget, beyond the one that every request costs. */
    spend: (points: number) => Promise<void>;
  }
}

export interface GateParts {
  readonly config: Config;
  readonly authenticate: Authenticate;
  readonly budgets: Budgets;
  readonly scopes: Scopes;
  readonly onBudgetSpent?: ((payer: 'business' | 'address') => void) | undefined;
}

/** The one way in: credential -> actor -> budget -> policy -> scope, before any body is read. */
export const gate = fp(
  async (app: FastifyInstance, { config, authenticate, budgets, scopes, onBudgetSpent }: GateParts) => {
    refuseUndeclaredRoutes(app);
    app.decorateRequest('scope');
    app.decorateRequest('spend');

    app.addHook('onRequest', async (request, reply) => {
      const entry = request.routeOptions.config.entry ?? 'nothing';
      if (entry === 'page') return;
      const { actor, refusal } = await identify(request, entry);
      request.record.actor = actor;
      let state: BudgetState;
      request.spend = async (points) => {
        request.record.points += points;
        state = await budgets.spend(actor, request.ip, points);
        showBudget(reply, state);
        if (!state.isSpent) return;
        onBudgetSpent?.(actor.kind === 'anonymous' ? 'address' : 'business');
        throw budgetSpent(state);
      };
      await request.spend(1);
      if (refusal) throw refusal;
      const { log, ip: address, id: requestId } = request;
      const used = (name: OperationName) => void request.record.operations.add(name);
      request.scope = scopes.open(actor, { log, address, requestId, budget: () => state, used });
      if (entry !== 'graphql' && entry !== 'nothing') await admit(request.scope, entry);
    });

    /** A bad credential is not thrown but given back: a refused call, too, is paid for, by its address. */
    async function identify(request: FastifyRequest, entry: Entry): Promise<{ actor: Actor; refusal?: Failure }> {
      const actor: Actor = { kind: 'anonymous' };
      const need = credentialNeed(entry);
      const authorization = need === 'ignored' ? [] : headerValues(request, 'authorization');
      if ((authorization.length > 0 || takesPassword(entry)) && isExposed(request))
        return { actor, refusal: forbidden('Credentials are accepted only over https.') };
      if (authorization.length === 0) return need === 'required' ? { actor, refusal: unauthenticated() } : { actor };
      try {
        return { actor: await authenticate(authorization) };
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'UNAUTHENTICATED')) throw error;
        return need === 'counted' ? { actor } : { actor, refusal: error };
      }
    }

    const isExposed = (request: FastifyRequest) =>
      config.env === 'production' && !isHttps(request) && !isOnLoopback(request);
  },
);

/** Fails closed: the service does not start with a route that says neither its operation nor that it is public. */
function refuseUndeclaredRoutes(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const undeclared = routes.find(({ config }) => !config?.entry);
    if (undeclared) throw new Error(`${String(undeclared.method)} ${undeclared.url} does not say who may call it.`);
  });
}

/** Of a caller who shows no credential yet. */
const takesPassword = (entry: Entry): boolean => entry === 'tokens.login' || entry === 'graphql';

/** 'counted': only to know whose budget pays. */
type CredentialNeed = 'ignored' | 'counted' | 'optional' | 'required';

function credentialNeed(entry: Entry): CredentialNeed {
  if (entry === 'graphql') return 'optional';
  if (entry === 'nothing' || entry === 'page') return 'counted';
  return policy[entry].roles === 'anyone' ? 'ignored' : 'required';
}

const budgetSpent = ({ limit, resetS }: BudgetState) =>
  new Failure('RATE_LIMITED', `The rate limit of ${limit} requests per minute is reached.`, {
    retryAfterS: Math.max(1, resetS),
  });

function showBudget(reply: FastifyReply, { limit, remaining, resetS }: BudgetState): void {
  reply.headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': resetS });
}
