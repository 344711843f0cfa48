import { Suspense, useState, useSyncExternalStore } from 'react';
import { lazily } from '../../application/lazily.tsx';
import { Waiting } from '../../application/waiting.tsx';
import { loadAllMessages, useMessages } from '../messages/messages.ts';
import { Board } from './board.tsx';
import { readPairing, startPairing, stopPairing, watchPairing, type OwnScreen, type Pairing } from './pairing.ts';
import './kiosk.css';

const KioskCheckIn = lazily(async () => {
  await loadAllMessages();
  return (await import('./kiosk-check-in.tsx')).default;
});

/** The board of a paired screen, or the code of a browser that is to become one. */
export function Kiosk() {
  const pairing = useSyncExternalStore(watchPairing, readPairing);
  const { kiosk: texts } = useMessages().board;
  if (pairing.step === 'waiting') return <Code {...pairing} />;
  if (pairing.step === 'on') return <Wall screen={pairing.screen} />;
  if (pairing.step !== 'connecting') return null;
  return (
    <div className="cb bd-kiosk">
      <Waiting what={texts.connecting} />
      {pairing.problem !== null && <p role="status">{pairing.problem}</p>}
      <button type="button" className="cb-button" onClick={() => void stopPairing()}>
        {texts.stop}
      </button>
    </div>
  );
}

type CodeProps = Extract<Pairing, { step: 'waiting' }>;

function Code({ code, notice, problem }: CodeProps) {
  const { kiosk: texts } = useMessages().board;
  return (
    <div className="cb bd-kiosk">
      {notice !== null && (
        <p className="bd-kiosk-notice" role="alert">
          {notice}
        </p>
      )}
      <h1>{texts.title}</h1>
      <p className="cb-lead">{texts.lead}</p>
      <p className="bd-code">{code ?? '····-····'}</p>
      <p role="status">{problem ?? (code === null ? texts.asking : texts.waiting)}</p>
      <p className="cb-soft">{texts.renewed}</p>
      <button type="button" className="cb-button" onClick={() => void stopPairing()}>
        {texts.cancel}
      </button>
    </div>
  );
}

const audience = 'SCREEN';

function Wall({ screen: { name, businessName, timezone, checkInEventUuid } }: { screen: OwnScreen }) {
  return (
    <>
      {checkInEventUuid !== null && (
        <Suspense>
          <KioskCheckIn zone={timezone} />
        </Suspense>
      )}
      <Board role={audience} zone={timezone} title={name} />
      <footer className="bd-kiosk-line">
        <span>{businessName}</span>
        <Stop />
      </footer>
    </>
  );
}

/** It takes two presses, because anybody can stand before a screen. */
function Stop() {
  const { kiosk: texts } = useMessages().board;
  const [isSure, setIsSure] = useState(false);
  return (
    <button
      type="button"
      className="bd-kiosk-stop"
      onBlur={() => setIsSure(false)}
      onClick={() => (isSure ? void stopPairing() : setIsSure(true))}
    >
      {isSure ? texts.reallyStop : texts.stop}
    </button>
  );
}

/** The way from the log-in to a screen. */
export function KioskDoor() {
  const { kiosk: texts } = useMessages().board;
  return (
    <section className="app-card" aria-labelledby="screen">
      <h2 id="screen">{texts.door}</h2>
      <p className="cb-soft">{texts.doorLead}</p>
      <button type="button" className="cb-button app-wide" onClick={() => startPairing()}>
        {texts.title}
      </button>
    </section>
  );
}
