import { startApplication } from '../application/start.tsx';
import { App } from './app.tsx';
import { first } from './messages/first.ts';
import { loadMessages } from './messages/messages.ts';
import './console.css';
import './parts/parts.css';

/** A page that was opened before the service got its present version asks for scripts that are gone: it is loaded anew, once a minute at most. */
addEventListener('vite:preloadError', () => {
  const key = 'callboard:loaded-anew';
  if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(key) ?? 0) < 60_000) return;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
});

await loadMessages(first);
startApplication(App);
