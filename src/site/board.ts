import type { FastifyInstance } from 'fastify';
import { arePagesBuilt } from './built-pages.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import { serveStatic, serveUnbuilt } from './static-pages.ts';

/** Serves the live operations board at /board. */
export function board(app: FastifyInstance): void {
  const about = {
    title: 'Board · Callboard',
    description: 'Who is missing, who still has to confirm, and who is booked twice: the events of the day, live.',
    at: '/board',
  };
  if (!arePagesBuilt) {
    const body = html`<main class="cb" id="content">
      <h1>The board is not built</h1>
      <p><code>npm run build</code> makes it. What it shows is served at <code>/graphql</code>.</p>
    </main>`;
    return serveUnbuilt(app, '/board', page({ ...about, body }));
  }
  const body = html`<main id="content" tabindex="-1">
    <noscript><p class="cb">The board needs JavaScript.</p></noscript>
  </main>`;
  const text = page({ ...about, entry: 'board/main.tsx', isApplication: true, body });
  serveStatic(app, '/board', 'guide', () => text);
}
