import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { logOut, readSession, startSession } from '../shared/session.ts';
import '../shared/application.css';

/**
 * Reads the account from `#demo=<email>` and removes it, so that a reload does not log in again. The query of a shared
 * link may stand beside it and stays.
 */
function takeDemoEmail(): string | null {
  const parts = location.hash.slice(1).split('&');
  const email = new URLSearchParams(location.hash.slice(1)).get('demo');
  if (email === null) return null;
  const rest = parts.filter((part) => !part.startsWith('demo=')).join('&');
  history.replaceState(null, '', rest === '' ? location.pathname : `#${rest}`);
  return email;
}

void startSession(takeDemoEmail());
addEventListener('hashchange', () => {
  const email = takeDemoEmail();
  if (email === null || email === readSession().viewer?.email) return;
  void logOut().then(() => startSession(email));
});

createRoot(document.getElementById('content')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
