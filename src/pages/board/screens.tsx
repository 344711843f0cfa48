import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { readData } from '../application/session.ts';
import type { Address } from './address.ts';
import { ApproveForm } from './approve.tsx';
import { useMinute } from './clock.ts';
import type { BoardEvent } from './model.ts';
import { formatUntil } from './zones.ts';

/* The screens of the business: an admin approves and revokes them. */

interface ScreenItem {
  readonly uuid: string;
  readonly name: string;
  readonly names: 'FULL' | 'SHORT' | 'HIDDEN';
  readonly city: string | null;
  readonly text: string | null;
  readonly client: { readonly name: string } | null;
  readonly position: { readonly title: string } | null;
  readonly claimedAt: string | null;
  readonly lastSeenAt: string | null;
}

const listDocument = `query Screens {
  screens { uuid name names city text client { name } position { title } claimedAt lastSeenAt }
}`;

const refreshMs = 3_000;

export interface ScreensProps {
  readonly events: readonly BoardEvent[];
  readonly address: Address;
}

export function ScreensButton(props: ScreensProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="cb-button app-slim" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Screens
      </button>
      {isOpen && <ScreensDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ScreensDialog({ events, address, onClose }: ScreensProps & { readonly onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  // A dialog gives the focus back only while it is still in the page.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const { screens, problem, refresh } = useScreens();
  return (
    <dialog ref={ref} className="app-dialog bd-screens" aria-labelledby="screens-title" onClose={onClose}>
      <header>
        <h2 id="screens-title">Screens</h2>
        <button type="button" className="app-icon" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      <p className="cb-soft">
        Open <strong>{location.host}/board</strong> on the other device, choose “Use this browser as a screen”, and
        enter its code here.
      </p>
      <ApproveForm events={events} address={address} onApproved={refresh} />
      {problem !== null && (
        <p className="app-refusal" role="alert">
          {problem}
        </p>
      )}
      <ScreenList screens={screens} onRevoked={refresh} />
    </dialog>
  );
}

/** The screens, read again while the dialog is open: a screen is on a few seconds after its approval. */
function useScreens() {
  const [screens, setScreens] = useState<readonly ScreenItem[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const refresh = useCallback(async () => {
    try {
      setScreens((await readData<{ screens: readonly ScreenItem[] }>(listDocument)).screens);
      setProblem(null);
    } catch (error) {
      setProblem((error as Error).message);
    }
  }, []);
  useEffect(() => {
    const first = setTimeout(() => void refresh(), 0);
    const timer = setInterval(() => void refresh(), refreshMs);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [refresh]);
  return { screens, problem, refresh };
}

interface ListProps {
  readonly screens: readonly ScreenItem[] | null;
  readonly onRevoked: () => Promise<void>;
}

const ScreenList = ({ screens, onRevoked }: ListProps) => (
  <section aria-labelledby="screens-list">
    <h3 id="screens-list">In use</h3>
    {screens === null && <p className="cb-soft">Reading the screens…</p>}
    {screens?.length === 0 && <p className="cb-soft">No screen is approved yet.</p>}
    <ul className="bd-screen-list">
      {screens?.map((screen) => (
        <Item key={screen.uuid} screen={screen} onRevoked={onRevoked} />
      ))}
    </ul>
  </section>
);

const namesText = { FULL: 'full names', SHORT: 'short names', HIDDEN: 'no names' } as const;

function Item({ screen, onRevoked }: { readonly screen: ScreenItem; readonly onRevoked: () => Promise<void> }) {
  const nowMs = useMinute();
  const [isSure, setIsSure] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { uuid, name, names, city, text, client, position, claimedAt, lastSeenAt } = screen;
  const filter = [client?.name, city, position?.title, text && `“${text}”`].filter(Boolean).join(', ');
  const revoke = async () => {
    if (!isSure) return setIsSure(true);
    try {
      await readData('mutation Revoke($id: ID!) { revokeScreen(id: $id) { uuid } }', { id: uuid });
      await onRevoked();
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <small>
          {filter || 'All events'} · {namesText[names]}
        </small>
        <small>{claimedAt === null ? 'Waiting for the screen…' : describeSeen(lastSeenAt, nowMs)}</small>
        {problem !== null && <small role="alert">{problem}</small>}
      </div>
      <button
        type="button"
        className="cb-button app-slim"
        aria-label={`${isSure ? 'Really revoke' : 'Revoke'} ${name}`}
        onBlur={() => setIsSure(false)}
        onClick={() => void revoke()}
      >
        {isSure ? 'Really?' : 'Revoke'}
      </button>
    </li>
  );
}

function describeSeen(lastSeenAt: string | null, nowMs: number): string {
  const seenMs = lastSeenAt === null ? 0 : Date.parse(lastSeenAt);
  // The time of the last request is known to the minute.
  return nowMs - seenMs < 3 * 60_000 ? 'On' : `Last seen ${formatUntil(seenMs, nowMs).replace('since ', '')} ago`;
}
