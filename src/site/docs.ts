import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { limits } from '../config/limits.ts';
import { packageRoot } from '../places.ts';
import { html } from './html.ts';
import { page } from './layout.ts';

/** What `npm run build` copies of Swagger UI, for a page of our own. */
const built = fileURLToPath(new URL('dist/reference/', packageRoot));

const docsPage = page({
  title: 'API reference · Callboard',
  at: '/docs',
  styles: ['/docs/static/swagger-ui.css'],
  scripts: ['/docs/static/swagger-ui-bundle.js', '/assets/docs.js'],
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
  for (const url of ['/docs', '/docs/'])
    app.get(url, { config: { entry: 'page', answer: 'docs' }, schema: { hide: true } }, (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(docsPage),
    );
  await app.register(fastifyStatic, { root: built, serve: false, maxAge: limits.assetMaxAgeS * 1000 });
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    app.get(`/docs/static/${file}`, asset, (_request, reply) => reply.sendFile(file));
}

const asset = { config: { entry: 'page', answer: 'asset' }, schema: { hide: true } } as const;

/** On a demo database one click logs in. The token is handed to Swagger UI and stored nowhere else. */
export const docsScript = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dress();
dark.addEventListener('change', dress);

const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  // Swagger UI forgets a token that comes before the document which describes it. If the demo log-ins cannot be read, no button is shown.
  onComplete: () => offerDemo().catch(() => undefined),
});

async function offerDemo() {
  const { password, logIns } = await (await fetch('/demo.json')).json();
  const admin = (logIns || []).find(({ role }) => role === 'admin');
  if (!password || !admin) return;
  const notice = document.getElementById('demo');
  const [button, status] = [notice.querySelector('button'), notice.querySelector('[role=status]')];
  status.textContent = 'This database holds demo data: ' + admin.email + ' of ' + admin.business + '.';
  notice.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const answer = await fetch('/v1/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ email: admin.email, password }),
      });
      const { data, message } = await answer.json();
      if (!answer.ok) throw new Error(message);
      ui.preauthorizeApiKey('personalToken', data.access_token);
      status.textContent = 'Logged in as ' + admin.email + '. Open a route, then “Try it out” and “Execute”.';
    } catch (error) {
      status.textContent = 'Not logged in: ' + error.message;
    }
    button.disabled = false;
  });
}
`;
