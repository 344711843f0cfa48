import { useSyncExternalStore } from 'react';
import type { Budget } from './service.ts';
import { logOut, type Session } from './session.ts';
import { chooseTheme, readChoice, watchTheme, type Choice } from './theme.ts';

/** The right of the header: who is logged in, what is left of the budget, light or dark, and the way out. */
export const Account = ({ session: { phase, viewer, budget } }: { session: Session }) => (
  <>
    {phase === 'in' && viewer && (
      <>
        {budget && <BudgetLeft budget={budget} />}
        <div className="pg-who" role="group" aria-label="Logged in as">
          <strong>{viewer.name}</strong>
          <span>
            {viewer.businessName} · <Plan name={viewer.plan} />
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

/** What is left of the minute's requests: as of the last answer, and full again when the minute is over. */
function BudgetLeft({ budget }: { budget: Budget }) {
  const nowMs = useSyncExternalStore(watchSeconds, readSecond);
  const isFull = nowMs >= budget.fullAtMs;
  const left = isFull ? budget.limit : budget.remaining;
  const seconds = Math.max(0, Math.ceil((budget.fullAtMs - nowMs) / 1000));
  const text = `${left.toLocaleString('en-US')} of ${budget.limit.toLocaleString('en-US')} requests left`;
  return (
    <div className="pg-budget" title={isFull ? text : `${text}; all again in ${seconds} s`}>
      <span>
        <strong>{left.toLocaleString('en-US')}</strong> of {budget.limit.toLocaleString('en-US')} left
        <span className="pg-hidden"> this minute</span>
      </span>
      <meter
        min={0}
        max={budget.limit}
        low={budget.limit * 0.2}
        high={budget.limit * 0.5}
        optimum={budget.limit}
        value={left}
        aria-label="Requests left this minute"
      />
    </div>
  );
}

/** The time to the second. */
const readSecond = (): number => Math.floor(Date.now() / 1000) * 1000;

function watchSeconds(tick: () => void): () => void {
  const timer = setInterval(tick, 1000);
  return () => clearInterval(timer);
}

const choices: Record<Choice, { next: Choice; label: string; icon: string }> = {
  system: { next: 'light', label: 'Colours: as the system', icon: 'M12 3a9 9 0 1 0 0 18V3Z' },
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
