import { html, type Html } from './html.ts';

/** Links of the common header. The playground's index.html has the same links. */
const places = [
  { href: '/guide', name: 'Guides' },
  { href: '/docs', name: 'API reference' },
  { href: '/playground', name: 'Playground' },
  { href: '/graphql/schema.graphql', name: 'GraphQL schema' },
] as const;

interface Page {
  readonly title: string;
  /** Path of this page, if the header links to it. */
  readonly at?: string;
  /** Our own stylesheets and scripts, in loading order. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  readonly body: Html;
}

/** Renders a whole page in the common layout. */
export function page({ title, at, styles = [], scripts = [], body }: Page): string {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/assets/callboard.svg" />
        ${styles.map((href) => html`<link rel="stylesheet" href="${href}" /> `)}
        <link rel="stylesheet" href="/assets/callboard.css" />
        ${scripts.map((src) => html`<script src="${src}" defer></script> `)}
      </head>
      <body class="cb-page">
        <a class="cb-skip" href="#content">Skip to the content</a>
        ${header(at)} ${body}
      </body>
    </html> `;
  return text;
}

const header = (at: string | undefined): Html =>
  html`<header class="cb-header">
    <a class="cb-mark" href="/" ${at === '/' ? current : html``}
      ><img src="/assets/callboard.svg" alt="" width="28" height="28" />Callboard</a
    >
    <nav aria-label="Callboard">
      ${places.map(({ href, name }) => html`<a href="${href}" ${href === at ? current : html``}>${name}</a>`)}
    </nav>
  </header>`;

const current = html`aria-current="page"`;
