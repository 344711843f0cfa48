import type { FastifyInstance } from 'fastify';
import { pino, type Logger } from 'pino';
import { createAttempts } from './access/attempts.ts';
import { createAuthenticate } from './access/authenticate.ts';
import { createBudgets } from './access/budget.ts';
import { createCounters } from './access/counters.ts';
import { createLogIn } from './access/login.ts';
import { createPasswords } from './access/passwords.ts';
import { createScopes } from './access/scope.ts';
import { createTokens, signingSecretsOf } from './access/tokens.ts';
import type { Config } from './config.ts';
import { openDatabase, type Database, type DatabaseHooks } from './db/database.ts';
import { graphqlRoutes } from './graphql/server.ts';
import { gate } from './http/gate.ts';
import { pages } from './http/pages.ts';
import { failureReplies, wrongVerbs } from './http/replies.ts';
import { createServer } from './http/server.ts';
import { openApi } from './rest/openapi.ts';
import { restRoutes } from './rest/routes.ts';

/** What tests replace: the clock and the edges, never our own code. */
export interface Overrides {
  readonly clock?: () => Date;
  readonly log?: Logger;
  readonly database?: DatabaseHooks;
}

export interface App {
  readonly http: FastifyInstance;
  readonly database: Database;
  /** From now on `/readyz` answers 503 and connections are not kept. */
  drain(): void;
  close(): Promise<void>;
}

/** The only place that wires things. Listens to nothing and migrates nothing: who calls does. */
export async function buildApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const log = overrides.log ?? createLog(config);
  const clock = overrides.clock ?? (() => new Date());
  let isDraining = false;

  const database = await openDatabase(config.db, overrides.database);
  const { prisma } = database;
  const passwords = createPasswords(config.auth);
  const tokens = createTokens(signingSecretsOf(config));
  const counters = await createCounters(config.redis, (error) => log.warn({ err: error }, 'redis does not answer'));
  const budgets = createBudgets(config.budget, counters);
  const attempts = createAttempts(counters);
  const authenticate = createAuthenticate(prisma, tokens, clock);
  const logIn = createLogIn(prisma, passwords, tokens, clock, log);
  const scopes = createScopes({ prisma, clock, logIn, passwords, attempts });

  const http = await createServer(config, log);
  http.addHook('onSend', async (_request, reply) => {
    if (isDraining) reply.header('connection', 'close');
  });
  await http.register(wrongVerbs);
  await http.register(failureReplies);
  await http.register(gate, { config, authenticate, budgets, scopes });
  await http.register(openApi);
  await http.register(restRoutes);
  await http.register(graphqlRoutes);
  await http.register(pages, { database, isDraining: () => isDraining });
  http.refuseWrongVerbs();
  await http.ready();

  return {
    http,
    database,
    drain: () => {
      isDraining = true;
    },
    close: async () => {
      isDraining = true;
      await http.close();
      await counters.close();
      await database.close();
    },
  };
}

function createLog({ log }: Config): Logger {
  const isPretty = log.format === 'pretty' || (log.format === 'auto' && process.stdout.isTTY);
  return pino({
    level: log.level,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
    ...(isPretty && { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }),
  });
}
