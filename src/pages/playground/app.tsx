import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Account } from '../application/account.tsx';
import { LogIn } from '../application/log-in.tsx';
import { LoggedOutDialog } from '../application/modal.tsx';
import { readSession, watchSession, type Viewer } from '../application/session.ts';
import { Waiting } from '../application/waiting.tsx';
import { forgetVisit } from './work-storage.ts';

/** The editor is large, so it is loaded while the user logs in. */
const loadWorkspace = () => import('./workspace.tsx');
const Workspace = lazy(loadWorkspace);

const header = document.getElementById('account')!;

export function App() {
  const session = useSyncExternalStore(watchSession, readSession);
  const { phase, viewer, login } = session;

  useEffect(() => {
    const idle = setTimeout(() => void loadWorkspace(), 300);
    return () => clearTimeout(idle);
  }, []);

  useEffect(() => {
    if (phase === 'out') forgetVisit();
  }, [phase]);

  return (
    <>
      {createPortal(<Account session={session} />, header)}
      {phase === 'out' && <LogIn notice={session.notice} pitch={pitch} />}
      {phase === 'starting' && <Waiting what="Logging in" />}
      {phase === 'in' && viewer && (
        <Suspense fallback={<Waiting what="Loading the editor" />}>
          <Workspace key={nameOwner(viewer)} owner={nameOwner(viewer)} role={viewer.role} />
        </Suspense>
      )}
      {phase === 'in' && !login && <LoggedOutDialog notice={session.notice} email={viewer?.email ?? ''} />}
    </>
  );
}

/** Names the user and business whose work is stored. */
const nameOwner = ({ business, user, name }: Viewer): string => `${business.id}:${user?.id ?? `key ${name}`}`;

const pitch = (
  <>
    <h1>Ask your events anything</h1>
    <p className="cb-lead">
      Who is still missing this week? What does each client cost? Who is booked twice? Pick a question, get a table, a
      chart and a CSV file.
    </p>
    <ul className="app-asks" aria-label="For example">
      <li>Unfilled call times this week</li>
      <li>Coverage by position</li>
      <li>Labour cost by client</li>
      <li>A staff member’s shifts</li>
    </ul>
  </>
);
