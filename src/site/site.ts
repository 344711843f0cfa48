import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { DemoLogIns } from '../access/demo.ts';
import { unavailable } from '../errors.ts';
import type { Health } from '../health.ts';
import { serializeFailure } from '../http/replies.ts';
import { tzData } from '../time/tz-data.ts';
import { version } from '../version.ts';
import { applications } from './applications.ts';
import { assets } from './assets.ts';
import { guides } from './guides.ts';
import { landingPage } from './landing.ts';
import { originOf } from './origin.ts';
import type { Readiness } from './readiness.ts';
import type { OpenApiDocument } from './reference/document.ts';
import { referencePage } from './reference/page.ts';
import { schemaPage } from './schema-page.ts';
import { serveStatic } from './static-pages.ts';
import { wellKnown } from './well-known.ts';

const links = {
  guides: '/guide',
  docs: '/docs',
  console: '/app',
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
  readonly checkReadiness: () => Promise<Readiness>;
  readonly health: Pick<Health, 'missing'>;
  readonly demoLogIns: () => Promise<DemoLogIns>;
  readonly isSendingMail: boolean;
  readonly securityContact: string | null;
  readonly clock: () => Date;
}

/**
 * Registers the pages for browsers and the probes for operators. They need no credential and are not counted against a
 * rate limit.
 */
export async function pages(app: FastifyInstance, parts: PageParts): Promise<void> {
  const { schema, checkReadiness, health, demoLogIns } = parts;
  const page = { config: { entry: 'page' }, schema: { hide: true } } as const;

  app.get('/', { ...page, config: { entry: 'page', answer: 'page' } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    if (request.accepts().type(['application/json', 'text/html']) !== 'text/html')
      return { service: 'Callboard', version, ...links };
    // The page is shown without the demo log-ins if the database cannot be reached.
    const demo = await demoLogIns().catch(() => ({ password: null, logIns: [] }));
    return reply.type('text/html; charset=utf-8').send(landingPage(originOf(request), demo));
  });
  app.get('/demo.json', page, async () => ({
    ...(await demoLogIns()),
    ...(parts.isSendingMail && { isSendingMail: true }),
  }));
  await app.register(assets);
  guides(app);
  docs(app);
  serveStatic(app, '/schema', 'guide', () => schemaPage(schema));
  applications(app);

  wellKnown(app, { ...parts, originOf });
  app.get('/healthz', page, () => ({ status: 'ok', version }));
  app.get('/readyz', page, async (request, reply) =>
    sendReadiness(request, reply, await checkReadiness(), health.missing()),
  );
}

/** Sends why the process cannot serve, or what it goes on without, as JSON; as text for people who ask for it. */
function sendReadiness(
  request: FastifyRequest,
  reply: FastifyReply,
  { reason, message }: Readiness,
  degraded: ReturnType<Health['missing']>,
) {
  const isReady = reason === 'ready';
  if (!isReady) {
    // The check has told the log, which need not hear it again at each question.
    request.record.code = 'UNAVAILABLE';
    request.record.isPlanned = true;
    reply.code(503).header('retry-after', '2');
  }
  reply.header('vary', 'Accept');
  if (request.accepts().type(['application/json', 'text/plain']) === 'text/plain') {
    const lines = degraded.map((each) => `degraded: ${each.part}: ${each.message}`);
    const text = [isReady ? 'ready' : `not ready: ${reason}: ${message}`, ...lines].join('\n');
    return reply.type('text/plain; charset=utf-8').send(`${text}\n`);
  }
  const { version: tzVersion, source } = tzData();
  return {
    ...(isReady
      ? { status: 'ready' }
      : { ...serializeFailure(unavailable(message, 2), ''), status: 'not ready', reason }),
    ...(degraded.length > 0 && { degraded }),
    tzData: { version: tzVersion, source },
  };
}

function docs(app: FastifyInstance): void {
  serveStatic(app, '/docs', 'guide', () => referencePage(app.swagger() as unknown as OpenApiDocument));
}
