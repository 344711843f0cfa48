import { StrictMode, type ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { DemoOffer } from './demo-offer.tsx';
import { startSession } from './session.ts';
import './application.css';

/** Shows an application in its page, logged in as before or as the demo account that the address names. */
export function startApplication(App: ComponentType): void {
  let started = startSession(takeDemoEmail());
  addEventListener('hashchange', () => {
    const email = takeDemoEmail();
    if (email !== null) started = started.then(() => startSession(email));
  });
  createRoot(document.getElementById('content')!).render(
    <StrictMode>
      <App />
      <DemoOffer />
    </StrictMode>,
  );
}

/** Reads the account from `#demo=<email>` and removes it, so that a reload does not log in again. All else in the address stays. */
function takeDemoEmail(): string | null {
  const email = new URLSearchParams(location.hash.slice(1)).get('demo');
  if (email === null) return null;
  const parts = location.hash.slice(1).split('&');
  const rest = parts.filter((part) => !part.startsWith('demo=')).join('&');
  history.replaceState(null, '', rest === '' ? location.pathname + location.search : `#${rest}`);
  return email;
}
