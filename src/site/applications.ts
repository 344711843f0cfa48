import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { AnswerKind } from '../http/answer-headers.ts';
import { arePagesBuilt, builtPages, findEntry } from './built-pages.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import { serveStatic, serveUnbuilt } from './static-pages.ts';

interface Application {
  /** The last part of its address. */
  readonly name: string;
  /** Its folder in `src/pages`. */
  readonly folder: string;
  readonly title: string;
  readonly description: string;
  readonly answer: AnswerKind;
  /** Whether it has pages of its own at the addresses below. */
  readonly isConsole?: boolean;
}

const all: readonly Application[] = [
  {
    name: 'app',
    folder: 'console',
    title: 'Console',
    description: 'Run an event staffing business: events, people, who works where, and the shifts of each person.',
    answer: 'guide',
    isConsole: true,
  },
  {
    name: 'board',
    folder: 'console/board',
    title: 'Board',
    description: 'What is open, who still has to confirm, and who is booked twice: the events of the day, live.',
    answer: 'guide',
  },
  {
    name: 'playground',
    folder: 'playground',
    title: 'Playground',
    description: 'Ask the GraphQL API of Callboard in the browser: tables, charts and CSV of events, shifts and cost.',
    answer: 'playground',
  },
];

/** Serves the applications, which run in the browser: the console, the live board and the playground. */
export function applications(app: FastifyInstance): void {
  for (const each of all) serveApplication(app, each);
}

function serveApplication(
  app: FastifyInstance,
  { name, folder, title, description, answer, isConsole = false }: Application,
): void {
  const at = `/${name}`;
  const about = { title: `${title} · Callboard`, description, at };
  if (!arePagesBuilt) {
    const body = html`<main class="cb" id="content">
      <h1>The ${name} is not built</h1>
      <p><code>npm run build</code> makes it. GraphQL itself is served at <code>/graphql</code>.</p>
    </main>`;
    return serveUnbuilt(app, at, page({ ...about, body }));
  }
  const body = html`<main id="content" tabindex="-1">
    <noscript><p class="cb">The ${name} needs JavaScript.</p></noscript>
  </main>`;
  const entry = `${folder}/main.tsx`;
  const text = page({ ...about, entry, isApplication: true, isConsole, body });
  serveStatic(app, at, answer, () => text, isConsole ? '/*' : '/');
  if (isConsole) serveInstallation(app, description);
}

/** Serves what makes the console an application of a phone: its manifest, and the worker that opens it without a connection. */
function serveInstallation(app: FastifyInstance, description: string): void {
  const config = { entry: 'page', answer: 'document' } as const;
  const worker = readFileSync(`${builtPages}${findEntry('console/service-worker.ts')!.script}`, 'utf8');
  const manifest = JSON.stringify({
    id: '/app',
    name: 'Callboard',
    short_name: 'Callboard',
    description,
    start_url: '/app',
    scope: '/app',
    display: 'standalone',
    background_color: '#fbfaf7',
    theme_color: '#fbfaf7',
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png' },
    ],
  });
  app.get('/app/manifest.webmanifest', { config, schema: { hide: true } }, (_request, reply) =>
    reply.type('application/manifest+json').send(manifest),
  );
  app.get('/app/sw.js', { config, schema: { hide: true } }, (_request, reply) =>
    reply
      .header('content-security-policy', "default-src 'none'; connect-src 'self'")
      .header('service-worker-allowed', '/app')
      .type('text/javascript; charset=utf-8')
      .send(worker),
  );
}
