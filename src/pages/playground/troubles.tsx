import { useEffect, useState } from 'react';
import type { ServiceError } from './service.ts';
import type { Run } from './runs.ts';

/** What went wrong, in the service's own words, and what helps. */
export function Troubles({ run }: { run: Run }) {
  const errors = run.result?.errors ?? [];
  return (
    <div className="pg-troubles" role="alert" data-empty={errors.length === 0}>
      {run.refused === 'RATE_LIMITED' && run.retryAfterS !== null && (
        <Countdown key={run.endedAtMs} untilMs={run.endedAtMs + run.retryAfterS * 1000} />
      )}
      {errors.slice(0, 10).map((error, index) => (
        <Trouble key={index} error={error} />
      ))}
      {errors.length > 10 && <p>And {errors.length - 10} more: see the JSON.</p>}
    </div>
  );
}

function Trouble({ error: { message, path, extensions } }: { error: ServiceError }) {
  const fields = Object.entries(extensions?.errors ?? {});
  return (
    <div className="pg-trouble">
      <p>
        <strong>{message}</strong>
        {extensions?.code && <code>{extensions.code}</code>}
        {path && <span> at {path.join('.')}</span>}
      </p>
      {fields.length > 0 && (
        <ul>
          {fields.map(([field, texts]) => (
            <li key={field}>
              <code>{field}</code> {texts.join(' ')}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Silent to a screen reader while it counts: it was read out once. */
function Countdown({ untilMs }: { untilMs: number }) {
  const [leftS, setLeftS] = useState(() => secondsTo(untilMs));
  useEffect(() => {
    const timer = setInterval(() => setLeftS(secondsTo(untilMs)), 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  return (
    <p aria-live="off">
      {leftS > 0
        ? `Your business’s budget is spent. It is full again in ${leftS} s.`
        : 'The budget is full again: run it once more.'}
    </p>
  );
}

const secondsTo = (momentMs: number): number => Math.max(0, Math.ceil((momentMs - Date.now()) / 1000));
