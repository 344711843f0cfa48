import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../shared/application.css';
import { logOut, readSession, startSession } from '../shared/session.ts';
import { App } from './app.tsx';

/** Reads the account from `#demo=<email>` and removes the fragment, so that a reload does not log in again. */
function takeDemoEmail(): string | null {
  const email = new URLSearchParams(location.hash.slice(1)).get('demo');
  if (email !== null) history.replaceState(null, '', location.pathname + location.search);
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
