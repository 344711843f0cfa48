import { Component, createElement, lazy, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { readMessages } from '../console/messages/messages.ts';
import { loadAnew } from './load-anew.ts';

/* Parts of a page that are fetched once it is drawn. One that cannot be fetched leaves the page as it is. */

/** `inPlace`: it stands in the page. `over`: it lies over the page, as a dialog does. `unseen`: nobody waits for it. */
type Kind = 'inPlace' | 'over' | 'unseen';

class NotFetched extends Error {}

/** Milliseconds until the parts of a page that has come are fetched, which is what comes first then. */
const drawnMs = 1500;
/** Milliseconds between attempts for a part that is missing. */
const againMs = 10_000;

const ahead: (() => Promise<unknown>)[] = [];

/** Fetches one part after the other while nothing else is to be done. What fails is fetched when it is needed. */
async function fetchAhead(): Promise<void> {
  for (let next = ahead[0]; next; next = ahead[0]) {
    // Safari has no idle callbacks.
    await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
    await next().catch(() => undefined);
    ahead.shift();
  }
}

/** Fetches something once the page is drawn and nothing else is to be done, unless the reader saves data. */
export function fetchWhenIdle(load: () => Promise<unknown>): void {
  const { saveData = false } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {};
  if (!saveData && ahead.push(load) === 1) setTimeout(() => void fetchAhead(), drawnMs);
}

/** A component that is fetched ahead, or when it is shown. */
export function lazily<Props extends object>(load: () => Promise<(props: Props) => ReactNode>, kind: Kind = 'inPlace') {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: (await load()) as (props: object) => ReactNode };
      } catch (error) {
        throw new NotFetched((error as Error).message);
      }
    });
  let Content = begin();
  fetchWhenIdle(load);
  return function Part(props: Props) {
    const [attempt, setAttempt] = useState(0);
    const retry = async () => {
      await load();
      Content = begin();
      setAttempt(attempt + 1);
    };
    const { onClose = null } = props as { onClose?: () => void };
    return (
      <Boundary key={attempt} instead={<Missing {...{ kind, retry, onClose }} />}>
        {createElement(Content, props)}
      </Boundary>
    );
  };
}

interface BoundaryProps {
  readonly instead: ReactNode;
  readonly children: ReactNode;
}

/** Stands for a part that was not fetched. Faults of the part itself are for the boundary of the page. */
class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if ((error as unknown) instanceof NotFetched) return this.props.instead;
    throw error;
  }
}

interface MissingProps {
  readonly kind: Kind;
  readonly retry: () => Promise<void>;
  readonly onClose: (() => void) | null;
}

function Missing({ kind, retry, onClose }: MissingProps) {
  const { shell } = readMessages();
  const [isBusy, setIsBusy] = useState(false);
  const fetchAgain = useEffectEvent(() => void retry().catch(() => undefined));
  useEffect(() => {
    addEventListener('online', fetchAgain);
    const timer = setInterval(fetchAgain, againMs);
    return () => {
      removeEventListener('online', fetchAgain);
      clearInterval(timer);
    };
  }, []);
  if (kind === 'unseen') return null;
  const onRetry = async () => {
    setIsBusy(true);
    // The files of an earlier version of the service are gone.
    await retry().catch(loadAnew);
    setIsBusy(false);
  };
  return (
    <div className="app-missing" data-kind={kind} role="alert">
      <p>{shell.notFetched}</p>
      <button type="button" className="cb-button app-slim" aria-busy={isBusy} onClick={() => void onRetry()}>
        {shell.retry}
      </button>
      {onClose && (
        <button type="button" className="cb-button app-slim" onClick={onClose}>
          {shell.close}
        </button>
      )}
    </div>
  );
}
