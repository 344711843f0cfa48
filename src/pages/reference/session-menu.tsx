import { useEffect, useState, useSyncExternalStore } from 'react';
import { Account } from '../application/account.tsx';
import { DemoLogIns, LogInBox } from '../application/log-in.tsx';
import { Modal } from '../application/modal.tsx';
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

const LogInDialog = ({ notice, close }: { notice: string | null; close: () => void }) => (
  <Modal title="Log in" onClose={close}>
    <LogInBox notice={notice} email="" />
    <DemoLogIns />
    <button type="button" className="cb-button" onClick={close}>
      Cancel
    </button>
  </Modal>
);
