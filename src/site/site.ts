import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { DemoLogIns } from '../access/demo.ts';
import type { Database } from '../db/engine/database.ts';
import { isHttps } from '../http/transport.ts';
import { tzData } from '../time/tz-data.ts';
import { version } from '../version.ts';
import { applications } from './applications.ts';
import { assets } from './assets.ts';
import { docs } from './docs.ts';
import { guides } from './guides.ts';
import { landingPage } from './landing.ts';
import { requireReady } from './readiness.ts';
import { schemaPage } from './schema-page.ts';
import { serveStatic } from './static-pages.ts';
import { wellKnown } from './well-known.ts';

const links = {
  guides: '/guide',
  docs: '/docs',
  board: '/board',
  playground: '/playground',
  openapi: '/openapi.json',
  graphql: '/graphql',
  schema: '/schema',
  graphqlSchema: '/graphql/schema.graphql',
  health: '/healthz',
  readiness: '/readyz',
};

export interface PageParts {
  readonly schema: GraphQLSchema;
  readonly database: Database;
  readonly isDraining: () => boolean;
  readonly demoLogIns: () => Promise<DemoLogIns>;
  readonly securityContact: string | null;
  readonly clock: () => Date;
}

/**
 * Registers the pages for browsers and the probes for operators. They need no credential and are not counted against a
 * rate limit.
 */
export async function pages(app: FastifyInstance, parts: PageParts): Promise<void> {
  const { schema, database, isDraining, demoLogIns } = parts;
  const page = { config: { entry: 'page' }, schema: { hide: true } } as const;

  app.get('/', { ...page, config: { entry: 'page', answer: 'page' } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    if (request.accepts().type(['application/json', 'text/html']) !== 'text/html')
      return { service: 'Callboard', version, ...links };
    // The page is shown without the demo log-ins if the database cannot be reached.
    const demo = await demoLogIns().catch(() => ({ password: null, logIns: [] }));
    return reply.type('text/html; charset=utf-8').send(landingPage(originOf(request), demo));
  });
  app.get('/demo.json', page, demoLogIns);
  await app.register(assets);
  guides(app);
  docs(app);
  serveStatic(app, '/schema', 'guide', () => schemaPage(schema));
  applications(app);

  wellKnown(app, { ...parts, originOf });
  app.get('/healthz', page, () => ({ status: 'ok', version }));
  app.get('/readyz', page, async () => {
    await requireReady(database, isDraining);
    const { version: tzVersion, source } = tzData();
    return { status: 'ready', tzData: { version: tzVersion, source } };
  });
}

/**
 * The origin as the reader's browser sees it, for commands to copy. `requireReadable` has refused host names with
 * characters that a shell would interpret.
 */
const originOf = (request: FastifyRequest): string => `${isHttps(request) ? 'https' : 'http'}://${request.host}`;
