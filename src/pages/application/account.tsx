import { useSyncExternalStore } from 'react';
import type { RateLimit } from './service.ts';
import { logOut, type Session } from './session.ts';

/** The right side of the header: the viewer, the rate limit and the log-out button. */
export const Account = ({ session: { phase, viewer, rateLimit } }: { session: Session }) => (
  <>
    {phase === 'in' && viewer && (
      <>
        {rateLimit && <RateLimitMeter rateLimit={rateLimit} />}
        <div className="app-who" role="group" aria-label="Logged in as">
          <strong>{viewer.name}</strong>
          <span>
            {viewer.business.name} · <Plan name={viewer.business.plan} />
            <span className="app-role"> · {viewer.role.toLowerCase()}</span>
          </span>
        </div>
      </>
    )}
    {phase === 'in' && (
      <button type="button" className="cb-button app-slim" onClick={() => void logOut()}>
        Log out
      </button>
    )}
  </>
);

const Plan = ({ name }: { name: string }) => <>{`${name.charAt(0)}${name.slice(1).toLowerCase()} plan`}</>;

/** Shows how many requests are left this minute: as of the last answer, and all of them once the minute is over. */
function RateLimitMeter({ rateLimit }: { rateLimit: RateLimit }) {
  const nowMs = useSyncExternalStore(watchSeconds, readSecond);
  const isFull = nowMs >= rateLimit.fullAtMs;
  const left = isFull ? rateLimit.limit : rateLimit.remaining;
  const seconds = Math.max(0, Math.ceil((rateLimit.fullAtMs - nowMs) / 1000));
  const text = `${left.toLocaleString('en-US')} of ${rateLimit.limit.toLocaleString('en-US')} requests left`;
  return (
    <div className="app-rate-limit" title={isFull ? text : `${text}; reset in ${seconds} s`}>
      <span>
        <strong>{left.toLocaleString('en-US')}</strong> of {rateLimit.limit.toLocaleString('en-US')} left
        <span className="app-hidden"> this minute</span>
      </span>
      <meter
        min={0}
        max={rateLimit.limit}
        low={rateLimit.limit * 0.2}
        high={rateLimit.limit * 0.5}
        optimum={rateLimit.limit}
        value={left}
        aria-label="Requests left this minute"
      />
    </div>
  );
}

/** The current time, rounded down to the second. */
const readSecond = (): number => Math.floor(Date.now() / 1000) * 1000;

function watchSeconds(tick: () => void): () => void {
  const timer = setInterval(tick, 1000);
  return () => clearInterval(timer);
}
