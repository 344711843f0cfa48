import { html } from './html.ts';
import { page } from './layout.ts';

/** Renders the page for an address that does not exist. */
export const notFoundPage = (path: string): string =>
  page({
    title: 'Nothing here · Callboard',
    description: 'Callboard has no page at this address.',
    body: html`<main class="cb" id="content">
      <div class="cb-hero">
        <div>
          <h1>Nothing is pinned up here</h1>
          <p class="cb-lead">
            There is no page at <code>${path.length > 120 ? `${path.slice(0, 120)}…` : path}</code>. It may be a slip in
            the address, or a page that has moved.
          </p>
          <p class="cb-buttons">
            <a class="cb-button cb-primary" href="/">To the start page</a>
            <a class="cb-button" href="/docs">API reference</a> <a class="cb-button" href="/playground">Playground</a>
          </p>
        </div>
        <div class="cb-sheet" aria-hidden="true">
          <b>404</b><span class="cb-soft">No event, no venue, no call</span>
          <table>
            <tr>
              <td>--:--</td>
              <td></td>
              <td>0 of 0</td>
            </tr>
          </table>
        </div>
      </div>
    </main>`,
  });
