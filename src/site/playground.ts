import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { limits } from '../config/limits.ts';
import { packageRoot } from '../places.ts';
import { html } from './html.ts';
import { page } from './layout.ts';

/** The directory that `npm run build` creates from src/pages/playground. */
const built = fileURLToPath(new URL('dist/playground/', packageRoot));

/**
 * Serves GraphiQL at /playground from built files. Large files are compressed in advance, and nothing is loaded from
 * other hosts.
 */
export async function playground(app: FastifyInstance): Promise<void> {
  if (!existsSync(`${built}index.html`)) return missing(app);
  app.addHook('onRoute', (route) => {
    route.config = { entry: 'page', answer: 'asset', ...route.config };
    route.schema = { hide: true };
  });
  await app.register(fastifyStatic, {
    root: `${built}assets`,
    prefix: '/playground/assets/',
    index: false,
    preCompressed: true,
    setHeaders: (response) => void response.setHeader('vary', 'Accept-Encoding'),
    // File names contain a hash of the content.
    immutable: true,
    maxAge: limits.hashedAssetMaxAgeS * 1000,
  });
  for (const url of ['/playground', '/playground/'])
    app.get(url, { config: { answer: 'playground' } }, (_request, reply) =>
      reply.sendFile('index.html', built, { cacheControl: false }),
    );
}

/** Answers when the playground was not built. */
function missing(app: FastifyInstance): void {
  const text = page({
    title: 'Playground · Callboard',
    at: '/playground',
    body: html`<main class="cb" id="content">
      <h1>The playground is not built</h1>
      <p><code>npm run build</code> makes it. GraphQL itself is served at <code>/graphql</code>.</p>
    </main>`,
  });
  app.get('/playground', { config: { entry: 'page', answer: 'page' }, schema: { hide: true } }, (_request, reply) =>
    reply.code(404).type('text/html; charset=utf-8').send(text),
  );
}
