import { useState } from 'react';
import { useRead } from '../data.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { historyQuery } from './documents.ts';
import { formatMoment } from './when.ts';

interface Field {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly beforeName: string | null;
  readonly afterName: string | null;
}

export interface Entry {
  readonly at: string;
  readonly atEvent: { readonly local: string | null } | null;
  readonly actorKind: 'USER' | 'API_KEY' | 'OPERATOR' | 'OTHER' | null;
  readonly actorName: string | null;
  readonly kind: string;
  readonly change: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly rowName: string | null;
  readonly fields: readonly Field[];
}

export interface HistoryData {
  readonly event: {
    readonly history: { readonly nodes: readonly Entry[]; readonly pageInfo: { readonly hasNextPage: boolean } } | null;
  } | null;
}

const pageRows = 30;

/** Who changed what of the event and when, newest first. */
export function History({ id }: { id: string }) {
  const messages = useMessages();
  const { history: texts } = messages.event;
  const [first, setFirst] = useState(pageRows);
  const read = useRead<HistoryData>(historyQuery, { id, first });
  return (
    <Loaded read={read}>
      {({ event }) => {
        const { nodes = [], pageInfo } = event?.history ?? {};
        if (nodes.length === 0) return <Empty title={texts.empty} />;
        return (
          <>
            <ol className="ev-history">
              {nodes.map((entry, index) => (
                <li key={`${entry.at} ${index}`}>
                  <time dateTime={entry.at}>{formatMoment(entry.atEvent?.local ?? entry.at, messages)}</time>
                  <div>
                    <p>{describeEntry(entry, messages)}</p>
                    <Changes entry={entry} />
                  </div>
                </li>
              ))}
            </ol>
            {pageInfo?.hasNextPage && first < 100 && <Button onClick={() => setFirst(100)}>{texts.more}</Button>}
          </>
        );
      }}
    </Loaded>
  );
}

/** What changed, where the sentence alone does not say it. */
function Changes({ entry }: { entry: Entry }) {
  const messages = useMessages();
  const shown = entry.change === 'UPDATED' ? entry.fields.filter(({ name }) => !impliedFields.has(name)) : [];
  if (shown.length === 0) return null;
  return (
    <dl>
      {shown.map((field) => (
        <div key={field.name}>
          <dt>{nameField(field.name, messages)}</dt>
          <dd>
            <del>{formatValue(field.before, field.beforeName, messages)}</del> →{' '}
            <ins>{formatValue(field.after, field.afterName, messages)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const impliedFields = new Set(['modifiedAt', 'version', 'confirmedAt', 'canceledAt', 'declinedAt']);

export const nameActor = ({ actorKind, actorName }: Entry, { event: { history } }: Messages): string =>
  actorKind === null
    ? history.service
    : actorKind === 'OPERATOR'
      ? history.operator
      : actorKind === 'API_KEY'
        ? history.key(actorName ?? '')
        : (actorName ?? history.operator);

export function describeEntry(entry: Entry, messages: Messages): string {
  const { history, statuses } = messages.event;
  const who = nameActor(entry, messages);
  const { kind, change, rowName, fields } = entry;
  const after = (name: string) => fields.find((field) => field.name === name)?.after;
  const name = rowName ?? '';
  if (kind === 'EVENT') {
    if (change === 'CREATED') return history.created(who);
    const status = after('status');
    if (typeof status === 'string') return history.status(who, statuses[status as keyof typeof statuses] ?? status);
  }
  if (kind === 'WORK_SHIFT') {
    if (change === 'CREATED') return history.assigned(who, name);
    if (after('status') === 'CANCELED') return history.calledOff(who, name);
    if (after('confirmed') === true) return history.confirmedFor(who, name);
    if (after('confirmed') === false && fields.every(({ name: field }) => field.startsWith('confirmed')))
      return history.unconfirmedFor(who, name);
  }
  return history.line(who, history.changes[change], history.kinds[kind] ?? history.kinds['OTHER']!, name);
}

/** The name that the form shows for a field; a field that is not on it keeps its own. */
export function nameField(name: string, { event }: Messages): string {
  return event.history.fields[name] ?? (event.fields as Readonly<Record<string, string>>)[name] ?? name;
}

function formatValue(value: unknown, name: string | null, messages: Messages): string {
  const { history, statuses, calls } = messages.event;
  if (name !== null) return name;
  if (value === null || value === undefined || value === '') return history.nothing;
  if (typeof value === 'boolean') return value ? history.yes : history.no;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  const words: Readonly<Record<string, string>> = { ...statuses, ...calls.units };
  return words[text] ?? formatMoment(text, messages);
}
