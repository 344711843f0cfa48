import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Account } from '../../application/account.tsx';
import { lazily } from '../../application/lazily.tsx';
import { LogIn } from '../../application/log-in.tsx';
import { LoggedOutDialog } from '../../application/modal.tsx';
import { readSession, watchSession } from '../../application/session.ts';
import { Waiting } from '../../application/waiting.tsx';
import { useMessages } from '../messages/messages.ts';
import { Board } from './board.tsx';
import { Kiosk, KioskDoor } from './kiosk.tsx';
import { readPairing, resumePairing, watchPairing } from './pairing.ts';

const Toasts = lazily(async () => (await import('../parts/toast.tsx')).Toasts, 'unseen');

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
  // Nothing is said of changes before somebody has done something.
  const [isTouched, setIsTouched] = useState(false);
  useEffect(() => {
    const touch = () => setIsTouched(true);
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, touch, { once: true });
  }, []);
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
      {isTouched && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
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
