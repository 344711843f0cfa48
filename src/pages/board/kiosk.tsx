import { useState, useSyncExternalStore } from 'react';
import { Waiting } from '../application/waiting.tsx';
import { Board } from './board.tsx';
import { readPairing, startPairing, stopPairing, watchPairing, type OwnScreen, type Pairing } from './pairing.ts';
import './kiosk.css';

/** The board of a paired screen, or the code of a browser that is to become one. */
export function Kiosk() {
  const pairing = useSyncExternalStore(watchPairing, readPairing);
  if (pairing.step === 'waiting') return <Code {...pairing} />;
  if (pairing.step === 'on') return <Wall screen={pairing.screen} />;
  if (pairing.step !== 'connecting') return null;
  return (
    <div className="cb bd-kiosk">
      <Waiting what="Connecting" />
      {pairing.problem !== null && <p role="status">{pairing.problem}</p>}
      <button type="button" className="cb-button" onClick={() => void stopPairing()}>
        Stop being a screen
      </button>
    </div>
  );
}

type CodeProps = Extract<Pairing, { step: 'waiting' }>;

function Code({ code, notice, problem }: CodeProps) {
  return (
    <div className="cb bd-kiosk">
      {notice !== null && (
        <p className="bd-kiosk-notice" role="alert">
          {notice}
        </p>
      )}
      <h1>Use this browser as a screen</h1>
      <p className="cb-lead">An admin opens the board, chooses “Screens”, and enters this code:</p>
      <p className="bd-code">{code ?? '····-····'}</p>
      <p role="status">{problem ?? (code === null ? 'Asking for a code…' : 'Waiting for an admin.')}</p>
      <p className="cb-soft">A new code comes by itself when this one ends.</p>
      <button type="button" className="cb-button" onClick={() => void stopPairing()}>
        Cancel
      </button>
    </div>
  );
}

const audience = 'SCREEN';

function Wall({ screen: { name, businessName, timezone } }: { screen: OwnScreen }) {
  return (
    <>
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
  const [isSure, setIsSure] = useState(false);
  return (
    <button
      type="button"
      className="bd-kiosk-stop"
      onBlur={() => setIsSure(false)}
      onClick={() => (isSure ? void stopPairing() : setIsSure(true))}
    >
      {isSure ? 'Really stop? A new code is needed then.' : 'Stop being a screen'}
    </button>
  );
}

/** The way from the log-in to a screen. */
export const KioskDoor = () => (
  <section className="app-card" aria-labelledby="screen">
    <h2 id="screen">Put it on the wall</h2>
    <p className="cb-soft">
      A screen needs no log-in: it shows a code, an admin approves it, and it shows the board, read-only.
    </p>
    <button type="button" className="cb-button app-wide" onClick={() => startPairing()}>
      Use this browser as a screen
    </button>
  </section>
);
