import { lazy, Suspense, useEffect, useRef, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Account } from '../shared/account.tsx';
import { LogIn, LogInBox } from '../shared/log-in.tsx';
import { readSession, watchSession, type Viewer } from '../shared/session.ts';
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
      {phase === 'out' && <LogIn notice={session.notice} />}
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

const Waiting = ({ what }: { what: string }) => (
  <p className="app-waiting" role="status">
    <span className="app-spinner" aria-hidden="true" />
    {what}…
  </p>
);

/** Shown when the credential ends while the user works; the work stays visible behind the dialog. */
function LoggedOutDialog({ notice, email }: { notice: string | null; email: string }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className="app-dialog"
      aria-labelledby="logged-out"
      onCancel={(event) => {
        event.preventDefault();
      }}
    >
      <h2 id="logged-out">Log in again</h2>
      <LogInBox notice={notice} email={email} />
    </dialog>
  );
}
