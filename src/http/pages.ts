import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Database } from '../db/database.ts';
import { unavailable } from '../errors.ts';
import { icon, landingPage, stylesheet } from './landing.ts';

const links = {
  docs: '/docs',
  openapi: '/openapi.json',
  graphql: '/graphql',
  graphqlSchema: '/graphql/schema.graphql',
  health: '/healthz',
  readiness: '/readyz',
};

const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The reference page sets styles on its elements; its scripts and data are ours alone. */
const docsSecurityPolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'";

/** What a browser or an operator's probe asks for: no credential, no budget. */
export async function pages(
  app: FastifyInstance,
  { database, isDraining }: { database: Database; isDraining: () => boolean },
): Promise<void> {
  const page = { config: { entry: 'page' }, schema: { hide: true } } as const;

  app.get('/', page, (request, reply) => {
    const wantsHtml = request.accepts().type(['application/json', 'text/html']) === 'text/html';
    return wantsHtml ? sendHtml(reply, landingPage) : { service: 'Callboard', ...links };
  });
  const asset = (url: string, type: string, content: string) =>
    app.get(url, page, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=3600').send(content),
    );
  asset('/assets/callboard.css', 'text/css; charset=utf-8', stylesheet);
  asset('/assets/callboard.svg', 'image/svg+xml', icon);

  app.get('/healthz', page, () => ({ status: 'ok' }));
  app.get('/readyz', page, async (_request, reply) => {
    const reason = await unreadiness(database, isDraining);
    reply.header('cache-control', 'no-store');
    if (reason) throw unavailable(reason, 2);
    return { status: 'ready' };
  });

  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, entry: 'page' };
    });
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: docsSecurityPolicy,
      uiConfig: {
        deepLinking: true,
        persistAuthorization: false,
        displayRequestDuration: true,
        defaultModelsExpandDepth: -1,
      },
      theme: { title: 'Callboard API reference', css: [{ filename: 'callboard.css', content: stylesheet }] },
    });
  });
}

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', contentSecurityPolicy).send(html);
}

async function unreadiness(database: Database, isDraining: () => boolean): Promise<string | null> {
  if (isDraining()) return 'Shutting down.';
  try {
    const pending = await database.pendingMigrations();
    return pending.length > 0 ? 'The database schema is behind this version.' : null;
  } catch {
    return 'The database cannot be reached.';
  }
}
