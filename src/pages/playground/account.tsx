import { useSyncExternalStore } from 'react';
import type { RateLimit } from './service.ts';
import { logOut, type Session } from './session.ts';
import { chooseTheme, readChoice, watchTheme, type Choice } from './theme.ts';

/** The right side of the header: the viewer, the rate limit, the colour theme and the log-out button. */
export const Account = ({ session: { phase, viewer, rateLimit } }: { session: Session }) => (
  <>
    {phase === 'in' && viewer && (
      <>
        {rateLimit && <RateLimitMeter rateLimit={rateLimit} />}
        <div className="pg-who" role="group" aria-label="Logged in as">
          <strong>{viewer.name}</strong>
          <span>
            {viewer.business.name} · <Plan name={viewer.business.plan} />
            <span className="pg-role"> · {viewer.role.toLowerCase()}</span>
          </span>
        </div>
      </>
    )}
    <ThemeSwitch />
    {phase === 'in' && (
      <button type="button" className="cb-button pg-slim" onClick={() => void logOut()}>
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
    <div className="pg-rate-limit" title={isFull ? text : `${text}; reset in ${seconds} s`}>
      <span>
        <strong>{left.toLocaleString('en-US')}</strong> of {rateLimit.limit.toLocaleString('en-US')} left
        <span className="pg-hidden"> this minute</span>
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

const choices: Record<Choice, { next: Choice; label: string; icon: string }> = {
  system: { next: 'light', label: 'Colours: system', icon: 'M12 3a9 9 0 1 0 0 18V3Z' },
  light: { next: 'dark', label: 'Colours: light', icon: 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z' },
  dark: { next: 'system', label: 'Colours: dark', icon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z' },
};

function ThemeSwitch() {
  const choice = useSyncExternalStore(watchTheme, readChoice);
  const { next, label, icon } = choices[choice];
  return (
    <button
      type="button"
      className="pg-icon"
      aria-label={`${label}. Change to ${next}`}
      title={label}
      onClick={() => chooseTheme(next)}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="1.6" />
        <path d={icon} fill="currentColor" transform={choice === 'dark' ? 'translate(2.4 2.4) scale(.8)' : undefined} />
      </svg>
    </button>
  );
}
