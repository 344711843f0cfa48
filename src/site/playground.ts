import type { FastifyInstance } from 'fastify';
import { arePagesBuilt } from './built-pages.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import { serveStatic, serveUnbuilt } from './static-pages.ts';

/** Serves GraphiQL at /playground. */
export function playground(app: FastifyInstance): void {
  const about = {
    title: 'Playground · Callboard',
    description: 'Ask the GraphQL API of Callboard in the browser: tables, charts and CSV of events, shifts and cost.',
    at: '/playground',
  };
  if (!arePagesBuilt) {
    const body = html`<main class="cb" id="content">
      <h1>The playground is not built</h1>
      <p><code>npm run build</code> makes it. GraphQL itself is served at <code>/graphql</code>.</p>
    </main>`;
    return serveUnbuilt(app, '/playground', page({ ...about, body }));
  }
  const body = html`<main id="content" tabindex="-1">
    <noscript><p class="cb">The playground needs JavaScript.</p></noscript>
  </main>`;
  const text = page({ ...about, entry: 'playground/main.tsx', isApplication: true, body });
  serveStatic(app, '/playground', 'playground', () => text);
}
