import type { DemoLogIns } from '../access/demo.ts';
import { version } from '../version.ts';
import { html, type Html } from './html.ts';
import { page } from './layout.ts';

/**
 * Renders the landing page: what runs here, how to log in, and where to go next. `origin` is the address under which
 * the reader's browser reaches the service.
 */
export function landingPage(origin: string, demo: DemoLogIns): string {
  return page({
    title: 'Callboard: event staffing service',
    description:
      'Callboard is an event staffing service: events, call times and work shifts of many businesses over REST and GraphQL.',
    at: '/',
    entry: 'site/copy.ts',
    body: html`<main class="cb" id="content">
      <div class="cb-hero">
        <div>
          <h1>Who works which event, and when</h1>
          <p class="cb-lead">
            Callboard is an event staffing service: events with their call times, work shifts and custom fields, for
            many businesses at once, over REST and GraphQL.
          </p>
          <p class="cb-buttons">${primaryButtons(demo)}</p>
          <p class="cb-soft">
            For developers: the <a href="/guide">guides</a>, the <a href="/docs">API reference</a> and the
            <a href="/playground">playground</a>.
          </p>
        </div>
        ${callSheet}
      </div>
      ${demo.password === null ? html`` : demoSection(origin, demo)} ${quickStart(origin, demo)}
      <section aria-labelledby="all">
        <h2 id="all">All that is served here</h2>
        <ul class="cb-cards">
          <li>
            <a href="/app"
              ><strong>Console</strong
              ><span>Events, people, staffing, attendance, payroll and settings; for staff, their own shifts</span></a
            >
          </li>
          <li>
            <a href="/board"
              ><strong>Board</strong><span>Who is where today, what is open, live from second to second</span></a
            >
          </li>
          <li>
            <a href="/guide"
              ><strong>Guides</strong
              ><span
                >For those who plan and run events, integrators, dashboard developers, analysts and operators</span
              ></a
            >
          </li>
          <li>
            <a href="/docs"
              ><strong>API reference</strong><span>Every REST route, with its shapes, to read and to try</span></a
            >
          </li>
          <li>
            <a href="/playground"
              ><strong>Playground</strong><span>Explore the GraphQL schema and ask it, in the browser</span></a
            >
          </li>
          <li>
            <a href="/schema"
              ><strong>GraphQL schema</strong><span>What /graphql understands, each field described</span></a
            >
          </li>
          <li>
            <a href="/openapi.json"
              ><strong>OpenAPI 3.1</strong><span>The REST API as a document, for client generators</span></a
            >
          </li>
        </ul>
        <p class="cb-probes cb-soft">
          For operators: <a href="/healthz">/healthz</a> says that the process is up, and <a href="/readyz">/readyz</a>
          that database and migrations are as they should be.
        </p>
      </section>
      <p class="cb-foot">Callboard ${version}</p>
    </main>`,
  });
}

/** Leads to the console; where a demo is, logged in as an admin of it. */
function primaryButtons({ password, logIns }: DemoLogIns): Html {
  const admin = password === null ? undefined : logIns.find(({ role }) => role === 'admin');
  return admin
    ? html`<a class="cb-button cb-primary" href="${demoLink(admin.email)}">Open the demo</a>
        <a class="cb-button" href="/app">Log in</a>`
    : html`<a class="cb-button cb-primary" href="/app">Log in</a>`;
}

const demoLink = (email: string): string => `/app#demo=${encodeURIComponent(email)}`;

/** A decorative call sheet, hidden from screen readers. */
const callSheet = html`<div class="cb-sheet" aria-hidden="true">
  <b>Harvest dinner</b><span class="cb-soft">The Old Granary, Madison</span>
  <table>
    <tr>
      <td>15:00</td>
      <td>Kitchen</td>
      <td>6 of 6</td>
    </tr>
    <tr>
      <td>16:30</td>
      <td>Servers</td>
      <td>11 of 12</td>
    </tr>
    <tr>
      <td>17:00</td>
      <td>Bar</td>
      <td>4 of 4</td>
    </tr>
    <tr>
      <td>00:30</td>
      <td>Load-out</td>
      <td>3 of 5</td>
    </tr>
  </table>
</div>`;

const demoSection = (origin: string, { password, logIns }: DemoLogIns): Html =>
  html`<section class="cb-demo" aria-labelledby="demo">
    <h2 id="demo">Look around with the demo data</h2>
    <p>
      One click opens the console, logged in. Each role sees what it may: an admin the whole business, staff their own
      shifts, a client its own events. The password is <code>${password ?? ''}</code> for all of them.
    </p>
    <div class="cb-businesses">
      ${[...new Set(logIns.map(({ business }) => business))].map(
        (name) =>
          html`<div class="cb-business">
            <h3>${name}</h3>
            <ul>
              ${logIns
                .filter(({ business }) => business === name)
                .map(
                  ({ email, role }) =>
                    html`<li>
                      <code>${email}</code>
                      <a
                        class="cb-button${role === 'admin' ? ' cb-primary' : ''}"
                        href="${demoLink(email)}"
                        aria-label="Open as ${role}: ${email}"
                        >Open as ${role}</a
                      >
                    </li>`,
                )}
            </ul>
          </div>`,
      )}
    </div>
    <h3>Or log in from a terminal</h3>
    ${command(logInLine(origin, logIns[0]?.email ?? '', password ?? ''))}
  </section>`;

/** Three commands for integrators that can be pasted into a shell as they are once the log-in is the reader's own. */
const quickStart = (origin: string, { password, logIns }: DemoLogIns): Html =>
  html`<section aria-labelledby="start">
    <h2 id="start">Quick start</h2>
    <p class="cb-soft">
      REST and GraphQL take the same credential: a personal access token from a log-in, or a business API key.
    </p>
    <ol class="cb-steps">
      <li>
        <h3>Log in and keep the token</h3>
        ${command(`TOKEN=$(${logInLine(origin, logIns[0]?.email ?? 'you@business.example', password ?? 'your password')} |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`)}
      </li>
      <li>
        <h3>List the newest events</h3>
        ${command(`curl -s '${origin}/v1/events?per_page=2&sort_order=desc' -H "Authorization: Bearer $TOKEN"`)}
      </li>
      <li>
        <h3>Ask for a whole staffing screen in GraphQL</h3>
        ${command(`curl -s ${origin}/graphql -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"query": "{ events(perPage: 3) { totalCount nodes { title startTime timezone callTimes { position { title } staffNeeded startTime } workShifts { firstName lastName confirmed } } } }"}'`)}
      </li>
    </ol>
  </section>`;

const logInLine = (origin: string, email: string, password: string) => `curl -s ${origin}/v1/auth/login \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "${email}", "password": "${password}"}'`;

/** Focusable, so that a long command can be scrolled with the keyboard. */
const command = (text: string): Html =>
  html`<div class="cb-code">
    <pre tabindex="0" aria-label="Command"><code>${text}</code></pre>
  </div>`;
