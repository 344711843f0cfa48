// Renders the guides and the pages beside them to dist/guide/guides.json, for src/site/guides.ts to serve.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = `${root}dist/guide`;

/** In the order in which they are listed. The name is the last part of the address. */
const guides = [
  { name: 'integrators', path: 'src/guide/integrators.md', summary: 'REST: requests, errors, retries, limits, CSV' },
  { name: 'dashboards', path: 'src/guide/dashboards.md', summary: 'GraphQL: whole screens, clients, caching' },
  { name: 'analysts', path: 'src/guide/analysts.md', summary: 'The playground, reports, spreadsheets' },
  {
    name: 'who-can-work',
    path: 'src/guide/who-can-work.md',
    summary: 'Availability, qualifications, rules, candidates',
  },
  { name: 'fill-a-shift', path: 'src/guide/fill-a-shift.md', summary: 'Asking people, answers, waitlist, open shifts' },
  { name: 'on-the-day', path: 'src/guide/on-the-day.md', summary: 'Check-in, worked time, approval, payroll' },
  { name: 'operators', path: 'src/guide/operators.md', summary: 'Settings, PostgreSQL, TLS, backups, metrics' },
  {
    name: 'contributors',
    path: 'src/guide/contributors.md',
    summary: 'What to read first, recipes, tests, performance',
  },
  {
    name: 'performance',
    path: 'src/guide/performance.md',
    summary: 'What was measured, and what the code does about it',
  },
  { name: 'security', path: '.github/SECURITY.md', summary: 'How to report a weakness, and what protects the data' },
  { name: 'glossary', path: '.github/GLOSSARY.md', summary: 'The words that a newcomer needs' },
  { name: 'changelog', path: '.github/CHANGELOG.md', summary: 'What changed in each version' },
];
const addressByPath = new Map(guides.map(({ name, path }) => [path, `/guide/${name}`]));

/** Addresses of the service that a guide names in inline code, and that a reader can open. */
const served = new Set([
  '/',
  '/docs',
  '/playground',
  '/guide',
  '/openapi.json',
  '/schema',
  '/graphql/schema.graphql',
  '/demo.json',
  '/healthz',
  '/readyz',
]);

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text) => text.replaceAll(/[&<>"]/g, (character) => entities[character]);

/** A link as it works on the site; null where its target is a file of the repository that is not served. */
function addressOf(href, path) {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [target, anchor] = href.split('#');
  const address = addressByPath.get(posix.join(posix.dirname(path), target));
  return address ? address + (anchor ? `#${anchor}` : '') : null;
}

function render({ name, path, summary }) {
  let title = name;
  const contents = [];
  const ids = new Map();
  /** Names for the tables, which can be scrolled: the heading above, and a number. */
  let heading = name;
  let tables = 0;

  /** The anchor that GitHub gives to the same heading, so that one link works in both places. */
  const idOf = (text) => {
    const id = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const uses = ids.get(id) ?? 0;
    ids.set(id, uses + 1);
    return uses === 0 ? id : `${id}-${uses}`;
  };

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens);
        const plain = text.replaceAll(/[`*]/g, '');
        if (depth === 1) {
          title = plain;
          return '';
        }
        heading = plain;
        const id = idOf(plain);
        if (depth <= 3) contents.push({ id, depth, text: plain });
        const anchor = `<a class="cb-anchor" href="#${id}" aria-label="Link to “${escape(plain)}”">#</a>`;
        return `<h${depth} id="${id}">${inner} ${anchor}</h${depth}>\n`;
      },
      code({ text, lang = '' }) {
        const [language = '', ...marks] = lang.split(' ');
        const block = (kind, label) =>
          `<div class="cb-code${kind}"><pre tabindex="0" aria-label="${label}"><code>${escape(text)}</code></pre></div>\n`;
        if (!marks.includes('answer')) return block('', language === 'sh' ? 'Command' : 'Code');
        const label = language === 'json' ? 'Response, shortened' : 'Output';
        return `<p class="cb-says">${label}</p>${block(' cb-answer', label)}`;
      },
      codespan({ text }) {
        const code = `<code>${escape(text)}</code>`;
        return served.has(text) ? `<a href="${text}">${code}</a>` : code;
      },
      table({ header, rows }) {
        const cells = (row, tag) => row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`);
        const line = (row, tag) => `<tr>${cells(row, tag).join('')}</tr>`;
        const body = rows.map((row) => line(row, 'td')).join('\n');
        tables++;
        return `<div class="cb-table" tabindex="0" role="region" aria-label="Table ${tables}: ${escape(heading)}"><table><thead>${line(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = addressOf(href, path);
        return address === null ? inner : `<a href="${escape(address)}">${inner}</a>`;
      },
      html({ text }) {
        if (/^\s*<!--[^]*-->\s*$/.test(text)) return '';
        throw new Error(`${path}: a guide holds Markdown only, and no HTML: ${text.trim()}`);
      },
    },
  });
  const content = marked.parse(readFileSync(`${root}${path}`, 'utf8'));
  return { name, title, summary, contents, content };
}

mkdirSync(built, { recursive: true });
writeFileSync(`${built}/.next.json`, JSON.stringify(guides.map(render)));
// At once, for a service that starts meanwhile.
renameSync(`${built}/.next.json`, `${built}/guides.json`);
