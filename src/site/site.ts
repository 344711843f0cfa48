import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DemoLogIns } from '../access/demo.ts';
import type { Database } from '../db/engine/database.ts';
import { unavailable } from '../errors.ts';
import { isHttps } from '../http/transport.ts';
import { assets } from './assets.ts';
import { docs } from './docs.ts';
import { guides } from './guides.ts';
import { landingPage } from './landing.ts';
import { playground } from './playground.ts';

const links = {
  guides: '/guide',
  docs: '/docs',
  playground: '/playground',
  openapi: '/openapi.json',
  graphql: '/graphql',
  graphqlSchema: '/graphql/schema.graphql',
  health: '/healthz',
  readiness: '/readyz',
};

export interface PageParts {
  readonly database: Database;
  readonly isDraining: () => boolean;
  readonly demoLogIns: () => Promise<DemoLogIns>;
}

/** What a browser or an operator's probe asks for: no credential, no budget. */
export async function pages(app: FastifyInstance, { database, isDraining, demoLogIns }: PageParts): Promise<void> {
  const page = { config: { entry: 'page' }, schema: { hide: true } } as const;

  app.get('/', { ...page, config: { entry: 'page', answer: 'page' } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    if (request.accepts().type(['application/json', 'text/html']) !== 'text/html')
      return { service: 'Callboard', ...links };
    // The page stands without its demo too, as while the database cannot be reached.
    const demo = await demoLogIns().catch(() => ({ password: null, logIns: [] }));
    return reply.type('text/html; charset=utf-8').send(landingPage(originOf(request), demo));
  });
  app.get('/demo.json', page, demoLogIns);
  assets(app);
  guides(app);
  await app.register(docs);
  await app.register(playground);

  app.get('/healthz', page, () => ({ status: 'ok' }));
  app.get('/readyz', page, async () => {
    const reason = await unreadiness(database, isDraining);
    if (reason) throw unavailable(reason, 2);
    return { status: 'ready' };
  });
}

/** Where the reader finds the service, for a line to copy: `requireReadable` lets no letter pass that a shell reads. */
const originOf = (request: FastifyRequest): string => `${isHttps(request) ? 'https' : 'http'}://${request.host}`;

async function unreadiness(database: Database, isDraining: () => boolean): Promise<string | null> {
  if (isDraining()) return 'Shutting down.';
  try {
    const pending = await database.pendingMigrations();
    return pending.length > 0 ? 'The database schema is behind this version.' : null;
  } catch {
    return 'The database cannot be reached.';
  }
}
