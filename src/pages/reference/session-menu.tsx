import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Account } from '../application/account.tsx';
import { DemoLogIns, LogInBox } from '../application/log-in.tsx';
import { readSession, watchSession } from '../application/session.ts';

const openers = new Set<() => void>();

/** Opens the dialog that logs in, from anywhere on the page. */
export function askToLogIn(): void {
  for (const open of openers) open();
}

/** The right side of the header: a button that logs in, or the account. */
export function SessionMenu() {
  const session = useSyncExternalStore(watchSession, readSession);
  const [isOpen, setIsOpen] = useState(false);
  const isLoggedIn = session.phase === 'in' && session.login !== null;

  useEffect(() => {
    const open = () => setIsOpen(true);
    openers.add(open);
    // The dialog stays closed after a log-in, also once that has ended.
    const stopWatching = watchSession(() => {
      if (readSession().login !== null) setIsOpen(false);
    });
    return () => {
      openers.delete(open);
      stopWatching();
    };
  }, []);

  return (
    <>
      {isLoggedIn ? (
        <Account session={session} />
      ) : (
        <button
          type="button"
          className="cb-button app-slim"
          disabled={session.phase === 'starting'}
          onClick={askToLogIn}
        >
          Log in
        </button>
      )}
      {isOpen && !isLoggedIn && <LogInDialog notice={session.notice} close={() => setIsOpen(false)} />}
    </>
  );
}

function LogInDialog({ notice, close }: { notice: string | null; close: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} className="app-dialog ref-log-in cb-page" aria-labelledby="log-in-title" onClose={close}>
      <button type="button" className="app-icon" aria-label="Close" onClick={close}>
        <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
          <path d="M5 5l14 14M19 5L5 19" stroke="currentColor" strokeWidth="2" />
        </svg>
      </button>
      <h2 id="log-in-title">Log in</h2>
      <LogInBox notice={notice} email="" />
      <DemoLogIns />
    </dialog>
  );
}
