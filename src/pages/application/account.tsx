import { useSyncExternalStore } from 'react';
import { useMessages } from '../console/messages/messages.ts';
import type { RateLimit } from './service.ts';
import { logOut, type Session } from './session.ts';

/** The right side of the header: the viewer, the rate limit and the log-out button. */
export function Account({ session: { phase, viewer, rateLimit } }: { session: Session }) {
  const { session: texts, shell } = useMessages();
  if (phase !== 'in') return null;
  return (
    <>
      {viewer && rateLimit && <RateLimitMeter rateLimit={rateLimit} />}
      {viewer && (
        <div className="app-who" role="group" aria-label={texts.loggedInAs}>
          <strong>{viewer.name}</strong>
          <span>
            {viewer.business.name} · {texts.plan(viewer.business.plan)}
            <span className="app-role"> · {shell.roles[viewer.role]}</span>
          </span>
        </div>
      )}
      <button type="button" className="cb-button app-slim" onClick={() => void logOut()}>
        {texts.logOut}
      </button>
    </>
  );
}

/** Shows how many requests are left this minute: as of the last answer, and all of them once the minute is over. */
function RateLimitMeter({ rateLimit: { limit, remaining, fullAtMs } }: { rateLimit: RateLimit }) {
  const { session: texts, language } = useMessages();
  const nowMs = useSyncExternalStore(watchSeconds, readSecond);
  const isFull = nowMs >= fullAtMs;
  const left = isFull ? limit : remaining;
  const numbers = [left, limit].map((number) => number.toLocaleString(language)) as [string, string];
  const reset = isFull ? [] : [texts.resetIn(Math.max(0, Math.ceil((fullAtMs - nowMs) / 1000)))];
  return (
    <div className="app-rate-limit" title={[texts.requestsLeft(...numbers), ...reset].join('; ')}>
      <span>
        {texts.left(...numbers)}
        <span className="app-hidden"> {texts.thisMinute}</span>
      </span>
      <meter
        min={0}
        max={limit}
        low={limit * 0.2}
        high={limit * 0.5}
        optimum={limit}
        value={left}
        aria-label={texts.meter}
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
