import type { FastifyInstance } from 'fastify';
import { limits } from '../config/limits.ts';
import { docsScript } from './docs.ts';
import { stylesheet } from './stylesheet.ts';

/** The favicon: a notice board with one call sheet pinned to it. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#a3341f"/><rect x="7" y="9" width="18" height="17" rx="2" fill="#fbfaf7"/><circle cx="16" cy="9" r="3" fill="#1d2430"/><path d="M11 16h10M11 21h6" stroke="#a3341f" stroke-width="2" stroke-linecap="round"/></svg>
`;

/** Adds a copy button to each command, where the browser allows it: over https and on loopback. */
const copyScript = `'use strict';
for (const block of navigator.clipboard ? document.querySelectorAll('.cb-code:not(.cb-answer)') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cb-button cb-copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent).then(
      () => (button.textContent = 'Copied'),
      () => (button.textContent = 'Not copied'),
    );
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  block.append(button);
}
`;

const files = {
  '/assets/callboard.css': ['text/css; charset=utf-8', stylesheet],
  '/assets/callboard.svg': ['image/svg+xml', icon],
  '/assets/copy.js': ['text/javascript; charset=utf-8', copyScript],
  '/assets/docs.js': ['text/javascript; charset=utf-8', docsScript],
} as const;

/** Serves the static files of the pages. */
export function assets(app: FastifyInstance): void {
  for (const [url, [type, content]] of Object.entries(files))
    app.get(url, { config: { entry: 'page', answer: 'asset' }, schema: { hide: true } }, (_request, reply) =>
      reply.type(type).header('cache-control', `public, max-age=${limits.assetMaxAgeS}`).send(content),
    );
}
