import { useEffect, useState } from 'react';
import type { ServiceError } from '../application/service.ts';
import type { Run } from './runs.ts';

/** Shows the errors of a run and, at the rate limit, how long to wait. */
export function RunErrors({ run }: { run: Run }) {
  const errors = run.result?.errors ?? [];
  return (
    <div className="pg-errors" role="alert" data-empty={errors.length === 0}>
      {run.refused === 'RATE_LIMITED' && run.retryAfterS !== null && (
        <Countdown key={run.endedAtMs} untilMs={run.endedAtMs + run.retryAfterS * 1000} />
      )}
      {errors.slice(0, 10).map((error, index) => (
        <RunErrorView key={index} error={error} />
      ))}
      {errors.length > 10 && <p>And {errors.length - 10} more: see the JSON.</p>}
    </div>
  );
}

function RunErrorView({ error: { message, path, extensions } }: { error: ServiceError }) {
  const fields = Object.entries(extensions?.errors ?? {});
  return (
    <div className="pg-error">
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

/** Not a live region: a screen reader would read it out every second. */
function Countdown({ untilMs }: { untilMs: number }) {
  const [leftS, setLeftS] = useState(() => secondsTo(untilMs));
  useEffect(() => {
    const timer = setInterval(() => setLeftS(secondsTo(untilMs)), 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  return (
    <p aria-live="off">
      {leftS > 0
        ? `Your business has reached its rate limit. You can run this again in ${leftS} s.`
        : 'The rate limit is reset: you can run this again.'}
    </p>
  );
}

const secondsTo = (momentMs: number): number => Math.max(0, Math.ceil((momentMs - Date.now()) / 1000));
