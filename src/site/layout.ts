import { findEntry } from './built-pages.ts';
import { html, type Html } from './html.ts';

/** Links of the common header. */
const places = [
  { href: '/app', name: 'Console' },
  { href: '/board', name: 'Board' },
  { href: '/guide', name: 'Guides' },
  { href: '/docs', name: 'API reference' },
  { href: '/playground', name: 'Playground' },
  { href: '/schema', name: 'GraphQL schema' },
] as const;

interface Page {
  readonly title: string;
  /** One sentence for search engines and link previews. */
  readonly description: string;
  /** Path of this page, if the header links to it. */
  readonly at?: string;
  /** Entry of src/pages that this page runs. */
  readonly entry?: string;
  /** Class of a page that is an application. */
  readonly isApplication?: boolean;
  /** Whether the page writes its own header, into the element `console`. */
  readonly isConsole?: boolean;
  readonly body: Html;
}

/** Renders a whole page in the common layout. */
export function page({ title, description, at, entry, isApplication = false, isConsole = false, body }: Page): string {
  const look = findEntry('site/site.css');
  const firstPaint = findEntry('site/first-paint.ts');
  const modules = ['site/header.ts', ...(entry ? [entry] : [])].map(findEntry).filter((files) => files !== null);
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fff" data-light="#fff" data-dark="#1d2027" />
        <meta name="description" content="${description}" />
        <title>${title}</title>
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        ${isConsole ? html`<link rel="manifest" href="/app/manifest.webmanifest" /> ` : html``}
        ${firstPaint ? html`<script src="${firstPaint.script}"></script> ` : html``}
        ${look ? stylesheet(look.script) : html``} ${modules.flatMap((files) => files.styles).map(stylesheet)}
        ${[...new Set(modules.flatMap(({ imports }) => imports))].map(
          (href) => html`<link rel="modulepreload" href="${href}" /> `,
        )}
        ${modules.map(({ script }) => html`<script type="module" src="${script}"></script> `)}
      </head>
      <body class="cb-page${isApplication ? ' app-page' : ''}">
        <a class="cb-skip" href="#content">Skip to the content</a>
        ${isConsole ? consoleHeader() : header(at)} ${body}
      </body>
    </html> `;
  return text;
}

const stylesheet = (href: string): Html => html`<link rel="stylesheet" href="${href}" /> `;

const header = (at: string | undefined): Html =>
  html`<header class="cb-header">
    <a class="cb-mark" href="/" ${at === '/' ? current : html``}
      ><img src="/favicon.svg" alt="" width="28" height="28" />Callboard</a
    >
    <nav aria-label="Callboard">
      ${places.map(({ href, name }) => html`<a href="${href}" ${href === at ? current : html``}>${name}</a>`)}
    </nav>
    <div class="cb-tools">
      <div id="account"></div>
      ${themeSwitch}
    </div>
  </header>`;

const consoleHeader = (): Html =>
  html`<header class="cb-header cs-header">
    <div id="console"></div>
    ${themeSwitch}
  </header>`;

const current = html`aria-current="page"`;

/** Hidden until its script runs. The three marks are shown by the choice that its title names. */
const themeSwitch = html`<button id="theme" class="cb-theme" type="button" hidden>
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" stroke-width="1.6" />
    <path class="cb-theme-system" d="M12 3a9 9 0 1 0 0 18V3Z" fill="currentColor" />
    <path class="cb-theme-light" d="M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z" fill="currentColor" />
    <path
      class="cb-theme-dark"
      d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z"
      fill="currentColor"
      transform="translate(2.4 2.4) scale(.8)"
    />
  </svg>
</button>`;
