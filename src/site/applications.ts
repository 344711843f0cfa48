import type { FastifyInstance } from 'fastify';
import type { AnswerKind } from '../http/answer-headers.ts';
import { arePagesBuilt } from './built-pages.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import { serveStatic, serveUnbuilt } from './static-pages.ts';

interface Application {
  /** The last part of its address. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly answer: AnswerKind;
  /** Whether it has pages of its own at the addresses below. */
  readonly isConsole?: boolean;
}

const all: readonly Application[] = [
  {
    name: 'app',
    title: 'Console',
    description: 'Run an event staffing business: events, people, who works where, and the shifts of each person.',
    answer: 'guide',
    isConsole: true,
  },
  {
    name: 'board',
    title: 'Board',
    description: 'Who is missing, who still has to confirm, and who is booked twice: the events of the day, live.',
    answer: 'guide',
  },
  {
    name: 'playground',
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
  { name, title, description, answer, isConsole = false }: Application,
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
  const entry = `${isConsole ? 'console' : name}/main.tsx`;
  const text = page({ ...about, entry, isApplication: true, isConsole, body });
  serveStatic(app, at, answer, () => text, isConsole ? '/*' : '/');
}
