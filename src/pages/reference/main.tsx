import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../site/filter.ts';
import { startSession } from '../application/session.ts';
import '../application/application.css';
import { SessionMenu } from './session-menu.tsx';
import { TryIt } from './try-it.tsx';
import type { CallForm } from './call.ts';
import './reference.css';

/* The reference is HTML. This adds the log-in, and a form below each operation once it is asked for. */

void startSession(null);
createRoot(document.getElementById('account')!).render(
  <StrictMode>
    <SessionMenu />
  </StrictMode>,
);

for (const place of document.querySelectorAll<HTMLElement>('.ref-try')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cb-button app-slim';
  button.textContent = 'Try it';
  const heading = place.closest('article')?.querySelector('h3')?.firstChild?.textContent?.trim() ?? '';
  button.setAttribute('aria-label', `Try it: ${heading}`);
  button.addEventListener('click', () => {
    const call = JSON.parse(place.dataset['call'] ?? '') as CallForm;
    createRoot(place).render(
      <StrictMode>
        <TryIt call={call} name={heading} />
      </StrictMode>,
    );
  });
  place.append(button);
}

/** Addresses of the reference that this one replaced: #/Events/events.list. */
function openEarlierAddress(): void {
  const [, id] = /^#\/[^/]+\/(.+)$/.exec(location.hash) ?? [];
  if (id !== undefined && document.getElementById(id)) location.replace(`#${id}`);
}
openEarlierAddress();
addEventListener('hashchange', openEarlierAddress);
