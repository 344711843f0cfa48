import { readSession } from '../application/session.ts';
import type { ServiceError } from '../application/service.ts';
import { examplesFor } from './examples.ts';
import { findWaitEndMs, useSecondsUntil } from './rate-limit-wait.ts';
import type { Run } from './runs.ts';

/** Shows the errors of a run. At the rate limit, how long to wait stands for the error. */
export function RunErrors({ run }: { run: Run }) {
  const waitEndMs = findWaitEndMs(run);
  const all = run.result?.errors ?? [];
  const errors = waitEndMs > 0 ? all.filter(({ extensions }) => extensions?.code !== 'RATE_LIMITED') : all;
  const isForbidden = errors.some(({ extensions }) => extensions?.code === 'FORBIDDEN');
  return (
    <div className="pg-errors" role="alert" data-empty={all.length === 0}>
      {waitEndMs > 0 && <Countdown untilMs={waitEndMs} />}
      {errors.slice(0, 10).map((error, index) => (
        <RunErrorView key={index} error={error} />
      ))}
      {errors.length > 10 && <p>And {errors.length - 10} more: see the JSON.</p>}
      {isForbidden && <Allowed />}
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

/** What a viewer may ask instead of what was refused. */
function Allowed() {
  const { viewer, login } = readSession();
  if (!viewer) return null;
  if (login?.isApiKey) return <p>The documentation of a field says which scope an API key needs for it.</p>;
  const titles = examplesFor(viewer.role).map(({ title }) => `“${title}”`);
  return (
    <p>
      Your role is {viewer.role.toLowerCase()}. The documentation of a field says for whom it is; these examples are for
      you: {titles.join(', ')}.
    </p>
  );
}

/** Not a live region: a screen reader would read it out every second. */
function Countdown({ untilMs }: { untilMs: number }) {
  const leftS = useSecondsUntil(untilMs);
  return (
    <p aria-live="off">
      {leftS > 0
        ? `Your business has reached its rate limit. You can run this again in ${leftS} s.`
        : 'The rate limit is reset: you can run this again.'}
    </p>
  );
}
