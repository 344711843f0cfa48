import { useEffect, useRef, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Account } from '../shared/account.tsx';
import { LogIn, LogInBox } from '../shared/log-in.tsx';
import { readSession, watchSession } from '../shared/session.ts';
import { Board } from './board.tsx';

const header = document.getElementById('account')!;

export function App() {
  const session = useSyncExternalStore(watchSession, readSession);
  const { phase, viewer, login, notice } = session;
  return (
    <>
      {createPortal(<Account session={session} />, header)}
      {phase === 'out' && <LogIn notice={notice} pitch={pitch} />}
      {phase === 'starting' && (
        <p className="app-waiting" role="status">
          <span className="app-spinner" aria-hidden="true" />
          Logging in…
        </p>
      )}
      {phase === 'in' && viewer && (
        <Board key={`${viewer.business.name} ${viewer.email ?? viewer.name}`} role={viewer.role} />
      )}
      {phase === 'in' && !login && <LoggedOutDialog notice={notice} email={viewer?.email ?? ''} />}
    </>
  );
}

const pitch = (
  <>
    <h1>Who is where, right now</h1>
    <p className="cb-lead">
      Today’s events on one board: who has confirmed, who is missing, who is booked twice. It follows every change
      within a second.
    </p>
  </>
);

/** Shown when the credential ends while the board is open; the board stays visible behind it. */
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
