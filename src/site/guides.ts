import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../places.ts';
import { Html, html } from './html.ts';
import { page } from './layout.ts';
import { serveStatic, serveUnbuilt } from './static-pages.ts';

/** A guide as src/guide/build.mjs renders it. */
interface Guide {
  /** The last part of its address. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Its headings of the second and third level. */
  readonly contents: readonly { readonly id: string; readonly depth: number; readonly text: string }[];
  /** HTML, from Markdown of this repository alone, without its title. */
  readonly content: string;
}

/** The file that `npm run build` writes. */
const built = fileURLToPath(new URL('dist/guide/guides.json', packageRoot));

/** The guides at /guide and /guide/<name>. Each page is made once, when the service starts. */
export function guides(app: FastifyInstance): void {
  if (!existsSync(built)) return missing(app);
  const all = JSON.parse(readFileSync(built, 'utf8')) as Guide[];
  serveStatic(app, '/guide', 'guide', () => listPage(all));
  for (const guide of all) serveStatic(app, `/guide/${guide.name}`, 'guide', () => guidePage(guide, all));
}

const description =
  'The Callboard guides: for those who plan and run events, integrators, dashboard developers, analysts, operators and contributors.';

const listPage = (all: readonly Guide[]): string =>
  page({
    title: 'Guides · Callboard',
    description,
    at: '/guide',
    body: html`<main class="cb" id="content">
      <div class="cb-hero">
        <div>
          <h1>Guides</h1>
          <p class="cb-lead">Choose the one for what you want to do. All of them work without a network.</p>
        </div>
      </div>
      ${cards(all)}
    </main>`,
  });

const guidePage = (guide: Guide, all: readonly Guide[]): string =>
  page({
    title: `${guide.title} · Callboard`,
    description: `${guide.title} of Callboard, the event staffing service. ${guide.summary}.`,
    at: '/guide',
    entry: 'site/copy.ts',
    body: html`<main class="cb cb-guide" id="content">
      <h1>${guide.title}</h1>
      <nav class="cb-contents" aria-label="On this page">
        <h2>On this page</h2>
        <ul>
          ${guide.contents.map(
            ({ id, depth, text }) =>
              html`<li${depth === 3 ? html` class="cb-inner"` : html``}><a href="#${id}">${text}</a></li>`,
          )}
        </ul>
      </nav>
      <article>${new Html(guide.content)}</article>
      <section aria-labelledby="more">
        <h2 id="more">Other guides</h2>
        ${cards(all.filter(({ name }) => name !== guide.name))}
      </section>
    </main>`,
  });

const cards = (list: readonly Guide[]): Html =>
  html`<ul class="cb-cards">
    ${list.map(
      ({ name, title, summary }) =>
        html`<li>
          <a href="/guide/${name}"><strong>${title}</strong><span>${summary}</span></a>
        </li>`,
    )}
  </ul>`;

/** Where the service was compiled without them. */
function missing(app: FastifyInstance): void {
  const text = page({
    title: 'Guides · Callboard',
    description,
    at: '/guide',
    body: html`<main class="cb" id="content">
      <h1>The guides are not built</h1>
      <p><code>npm run build</code> makes them from <code>src/guide/</code>.</p>
    </main>`,
  });
  serveUnbuilt(app, '/guide', text);
}
