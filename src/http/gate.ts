import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import type { Actor } from '../access/actor.ts';
import type { Authenticate } from '../access/authenticate.ts';
import type { Budgets, BudgetState } from '../access/budget.ts';
import { authorize } from '../access/operation.ts';
import { policy, type OperationName } from '../access/policy.ts';
import type { CallScope, Scopes } from '../access/scope.ts';
import type { Config } from '../config.ts';
import { Failure, forbidden, unauthenticated } from '../errors.ts';

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
}

/** The one way in: credential -> actor -> budget -> policy -> scope, before any body is read. */
export const gate = fp(async (app: FastifyInstance, { config, authenticate, budgets, scopes }: GateParts) => {
  refuseUndeclaredRoutes(app);
  app.decorateRequest('scope');
  app.decorateRequest('spend');

  app.addHook('onRequest', async (request, reply) => {
    const entry = request.routeOptions.config.entry ?? 'nothing';
    if (entry === 'page') return;
    const { actor, refusal } = await identify(request, credentialNeed(entry));
    let state: BudgetState;
    request.spend = async (points) => {
      state = await budgets.spend(actor, request.ip, points);
      showBudget(reply, state);
      if (state.isSpent) throw budgetSpent(state);
    };
    await request.spend(1);
    if (refusal) throw refusal;
    if (entry !== 'graphql' && entry !== 'nothing') authorize(actor, entry);
    request.scope = scopes.open(actor, { log: request.log, address: request.ip, budget: () => state });
  });

  /** A bad credential is not thrown but given back: a refused call, too, is paid for, by its address. */
  async function identify(request: FastifyRequest, need: CredentialNeed): Promise<{ actor: Actor; refusal?: Failure }> {
    const actor: Actor = { kind: 'anonymous' };
    const authorization = need === 'ignored' ? [] : headerValues(request, 'authorization');
    if (authorization.length === 0) return need === 'required' ? { actor, refusal: unauthenticated() } : { actor };
    if (isExposed(request)) return { actor, refusal: forbidden('Credentials are accepted over https only.') };
    try {
      return { actor: await authenticate(authorization) };
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'UNAUTHENTICATED')) throw error;
      return need === 'counted' ? { actor } : { actor, refusal: error };
    }
  }

  const isExposed = (request: FastifyRequest) =>
    config.env === 'production' && request.protocol !== 'https' && !/^(::ffff:)?127\.|^::1$/.test(request.ip);
});

/** Fails closed: the service does not start with a route that says neither its operation nor that it is public. */
function refuseUndeclaredRoutes(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const undeclared = routes.find(({ config }) => !config?.entry);
    if (undeclared) throw new Error(`${String(undeclared.method)} ${undeclared.url} does not say who may call it.`);
  });
}

/** 'counted': only to know whose budget pays. */
type CredentialNeed = 'ignored' | 'counted' | 'optional' | 'required';

function credentialNeed(entry: Entry): CredentialNeed {
  if (entry === 'graphql') return 'optional';
  if (entry === 'nothing' || entry === 'page') return 'counted';
  return policy[entry].roles === 'anyone' ? 'ignored' : 'required';
}

const budgetSpent = ({ limit, resetS }: BudgetState) =>
  new Failure('RATE_LIMITED', `The budget of ${limit} requests a minute is spent.`, {
    retryAfterS: Math.max(1, resetS),
  });

function showBudget(reply: FastifyReply, { limit, remaining, resetS }: BudgetState): void {
  reply.headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': resetS });
}

/** All values of a header: Node joins or drops repeated ones in `headers`. */
function headerValues({ raw }: FastifyRequest, name: string): string[] {
  return raw.rawHeaders.filter((_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === name);
}
