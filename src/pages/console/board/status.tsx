import type { ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';
import { changeAddress } from './address.ts';
import type { BoardState } from './live.ts';

interface StatusProps {
  readonly state: BoardState;
  readonly isPaused: boolean;
  readonly onPause: (isPaused: boolean) => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}

const formatSecond = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Says whether the board follows the service, and when its data was last known to be true. */
export function Status({ state: { link, asOfMs, problem, news }, isPaused, onPause, children }: StatusProps) {
  const { board: texts } = useMessages();
  return (
    <div className="bd-status">
      <span className="bd-link-state" data-link={link}>
        <i aria-hidden="true" />
        <span>
          {texts.link[link]}
          {asOfMs !== null && (
            <>
              {` · ${texts.asOf} `}
              <time dateTime={new Date(asOfMs).toISOString()}>{formatSecond.format(asOfMs)}</time>
            </>
          )}
        </span>
      </span>
      <button type="button" className="cb-button app-slim" onClick={() => onPause(!isPaused)}>
        {isPaused ? texts.resume : texts.pause}
      </button>
      {children}
      <button
        type="button"
        className="cb-button app-slim bd-wide bd-to-wall"
        title={texts.wallHint}
        onClick={() => changeAddress({ isWall: true })}
      >
        {texts.wall}
      </button>
      <button type="button" className="cb-button app-slim bd-wide" onClick={() => print()}>
        {texts.print}
      </button>
      {problem !== null && (
        <p className="app-refusal" role="alert">
          {problem}
        </p>
      )}
      <p className="app-hidden" aria-live="polite">
        {news}
      </p>
    </div>
  );
}
