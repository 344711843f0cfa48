import { useState } from 'react';
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { sendCsvQuery, describeErrors } from '../application/service.ts';
import { noteRateLimit, readSession } from '../application/session.ts';
import { isRead } from './operations.ts';
import type { Cost, Run, Runs } from './runs.ts';
import { saveCsv } from './table-export.ts';
import type { Table } from './tables.ts';
import { Slim } from './controls.tsx';

interface StatusProps {
  readonly run: Run | null;
  readonly table: Table | null;
}

/** One line about the result: its length, time and cost. */
export const ResultStatus = ({ run, table }: StatusProps) => (
  <div className="pg-status-line">
    <p className="pg-status" role="status" aria-live="polite">
      {describeRun(run, table)}
    </p>
    {run?.result && run.endedAtMs > 0 && (
      <p className="pg-facts">
        as of {new Date(run.endedAtMs).toLocaleTimeString('en-GB')}
        {run.cost && <CostView cost={run.cost} />}
      </p>
    )}
  </div>
);

function describeRun(run: Run | null, table: Table | null): string {
  if (!run) return '';
  if (!run.result) return 'Running…';
  const { data, errors } = run.result;
  const took = run.elapsedMs > 0 ? ` in ${Math.round(run.elapsedMs).toLocaleString('en-US')} ms` : '';
  const failed = errors ? `, ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}` : '';
  if (!data) return errors ? `No result${failed}` : 'No result';
  if (!table) return `Done${took}${failed}`;
  const { length } = table.rows;
  const page = findPage(run, table);
  const total = page && page.facts.total > length ? ` of ${page.facts.total.toLocaleString('en-US')}` : '';
  return `${length.toLocaleString('en-US')}${total} ${length === 1 && !total ? 'row' : 'rows'}${took}${failed}`;
}

/** The cost of the query, with the other limits on demand. */
function CostView({ cost }: { cost: Cost }) {
  const { cost: main, ...limits } = cost;
  if (!main) return null;
  return (
    <details className="pg-menu pg-cost">
      <summary>
        cost {main.actual.toLocaleString('en-US')} of {main.max.toLocaleString('en-US')}
      </summary>
      <dl>
        {Object.entries(limits).map(([name, { actual, max }]) => (
          <div key={name}>
            <dt>{name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}</dt>
            <dd>
              {actual.toLocaleString('en-US')} of {max.toLocaleString('en-US')}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** The page facts of the list that the table shows, if it is the list of a root field. A mutation is not sent again. */
function findPage({ request, pages }: Run, { path }: Table) {
  const [key = '', ...below] = path.split('.');
  const facts = isRead(request) ? pages.get(key) : undefined;
  return facts && below.join('.') === 'nodes' ? { key, facts } : null;
}

/** Buttons that read on in a list of which the result has only the first page. */
export function Paging({ run, runs, table }: { run: Run; runs: Runs; table: Table }) {
  const responseEditor = useGraphiQL((state) => state.responseEditor);
  const { updateActiveTabValues } = useGraphiQLActions();
  const [busy, setBusy] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  const page = findPage(run, table);
  if (!page?.facts.hasNextPage) return null;
  const { key, facts } = page;
  const total = facts.total.toLocaleString('en-US');

  const act = async (name: string, action: () => Promise<void>): Promise<void> => {
    setBusy(name);
    setMessage('');
    await action().catch((error: Error) => setMessage(error.message));
    setBusy(null);
  };
  const readOn = async (isToEnd: boolean): Promise<void> => {
    const result = await runs.readOn(run, key, isToEnd);
    if (!result) return;
    const response = JSON.stringify(result, null, 2);
    responseEditor?.setValue(response);
    updateActiveTabValues({ response });
  };
  const button = (name: string, action: () => Promise<void>) => (
    <Slim disabled={busy !== null} onClick={() => void act(name, action)}>
      {busy === name ? 'Reading…' : name}
    </Slim>
  );

  return (
    <div className="pg-paging" role="group" aria-label="Pages">
      <span>
        {table.rows.length.toLocaleString('en-US')} of {total}
      </span>
      {button('Next page', () => readOn(false))}
      {button(`All ${total}`, () => readOn(true))}
      {button(`All ${total} as CSV`, () => downloadAll(run))}
      <span className="pg-message" role="status">
        {message}
      </span>
    </div>
  );
}

/** The service writes the whole list, page by page, without holding it in this page. */
async function downloadAll(run: Run): Promise<void> {
  const answer = await sendCsvQuery(run.request, readSession().login?.credential ?? null);
  noteRateLimit(answer.rateLimit);
  if (!('file' in answer))
    throw new Error(`${describeErrors(answer.result) ?? 'Not possible.'} Read all rows, then use “Download CSV”.`);
  saveCsv(answer.file, answer.name);
}
