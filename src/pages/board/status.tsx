import type { ReactNode } from 'react';
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

const words: Record<BoardState['link'], string> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  paused: 'Paused',
};

/** Says whether the board follows the service, and when its data was last known to be true. */
export const Status = ({ state: { link, asOfMs, problem, news }, isPaused, onPause, children }: StatusProps) => (
  <div className="bd-status">
    <span className="bd-link-state" data-link={link}>
      <i aria-hidden="true" />
      <span>
        {words[link]}
        {asOfMs !== null && (
          <>
            {' '}
            · as of <time dateTime={new Date(asOfMs).toISOString()}>{formatSecond.format(asOfMs)}</time>
          </>
        )}
      </span>
    </span>
    <button type="button" className="cb-button app-slim" onClick={() => onPause(!isPaused)}>
      {isPaused ? 'Resume' : 'Pause'}
    </button>
    {children}
    <button
      type="button"
      className="cb-button app-slim bd-wide bd-to-wall"
      title="For a screen on the wall; Escape leaves it"
      onClick={() => changeAddress({ isWall: true })}
    >
      Wall
    </button>
    <button type="button" className="cb-button app-slim bd-wide" onClick={() => print()}>
      Print
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
