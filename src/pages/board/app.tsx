import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Account } from '../application/account.tsx';
import { LogIn } from '../application/log-in.tsx';
import { LoggedOutDialog } from '../application/modal.tsx';
import { readSession, watchSession } from '../application/session.ts';
import { Waiting } from '../application/waiting.tsx';
import { useMessages } from '../console/messages/messages.ts';
import { Toasts } from '../console/parts/toast.tsx';
import { Board } from './board.tsx';
import { Kiosk, KioskDoor } from './kiosk.tsx';
import { readPairing, resumePairing, watchPairing } from './pairing.ts';

const header = document.getElementById('account')!;

export function App() {
  const session = useSyncExternalStore(watchSession, readSession);
  const isScreen = useSyncExternalStore(watchPairing, () => readPairing().step !== 'off');
  const { board, shell } = useMessages();
  const { phase, viewer, login, notice } = session;
  // A person who is logged in goes before the screen that this browser is.
  useEffect(() => {
    if (phase === 'out') resumePairing();
  }, [phase]);
  if (isScreen) return <Kiosk />;
  return (
    <>
      {createPortal(<Account session={session} />, header)}
      {phase === 'out' && (
        <LogIn notice={notice} pitch={<Pitch {...board.pitch} />}>
          <KioskDoor />
        </LogIn>
      )}
      {phase === 'starting' && <Waiting what={shell.loggingIn} />}
      {phase === 'in' && viewer && (
        <Board
          key={`${viewer.business.name} ${viewer.email ?? viewer.name}`}
          role={viewer.role}
          zone={viewer.business.timezone}
        />
      )}
      <Toasts />
      {phase === 'in' && !login && <LoggedOutDialog notice={notice} email={viewer?.email ?? ''} />}
    </>
  );
}

const Pitch = ({ title, lead }: { title: string; lead: string }) => (
  <>
    <h1>{title}</h1>
    <p className="cb-lead">{lead}</p>
  </>
);
