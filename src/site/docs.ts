import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { limits } from '../config/limits.ts';
import { packageRoot } from '../places.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import { serveStatic } from './static-pages.ts';

/** What `npm run build` copies of Swagger UI, for a page of our own. */
const built = fileURLToPath(new URL('dist/reference/', packageRoot));

const docsPage = page({
  title: 'API reference · Callboard',
  at: '/docs',
  styles: ['/docs/static/swagger-ui.css'],
  scripts: ['/docs/static/swagger-ui-bundle.js'],
  entry: 'reference/main.ts',
  body: html`<main id="content">
    <div class="cb-notice" id="demo" hidden>
      <button class="cb-button cb-primary" type="button">Log in as demo admin</button>
      <p role="status"></p>
    </div>
    <div id="reference">
      <noscript
        ><p class="cb">
          The reference needs JavaScript. The same is at <a href="/openapi.json">/openapi.json</a>.
        </p></noscript
      >
    </div>
  </main>`,
});

/** Serves the reference of the REST API at /docs. */
export async function docs(app: FastifyInstance): Promise<void> {
  serveStatic(app, '/docs', 'docs', docsPage);
  await app.register(fastifyStatic, { root: built, serve: false, maxAge: limits.assetMaxAgeS * 1000 });
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    app.get(`/docs/static/${file}`, asset, (_request, reply) => reply.sendFile(file));
}

const asset = { config: { entry: 'page', answer: 'asset' }, schema: { hide: true } } as const;
