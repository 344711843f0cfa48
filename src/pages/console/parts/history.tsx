import { HistoryDocument, type EntryFieldsFragment } from '../../../generated/pages/console/parts.ts';
import { useState } from 'react';
import { useRead } from '../../application/data.ts';
import { readZone } from '../../time/span.ts';
import { formatMoment } from '../../time/zones.ts';
import { formatLocal } from '../../time/when.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from './button.tsx';
import { Empty, Loaded } from './notice.tsx';

export type Entry = EntryFieldsFragment;

interface HistoryProps {
  /** Whose changes: a filter of the service. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Cursor of the entry behind which it begins. */
  readonly after?: string | null;
}

/** Who changed what and when, newest first, a page at a time. */
export function History({ filter, after = null }: HistoryProps) {
  const { history: texts } = useMessages().parts;
  const [isMore, setIsMore] = useState(false);
  const read = useRead(HistoryDocument, { filter, after });
  return (
    <Loaded read={read}>
      {({ history }) => (
        <>
          {!history?.nodes.length && after === null && <Empty title={texts.empty} />}
          <Entries entries={history?.nodes ?? []} />
          {history?.pageInfo.hasNextPage &&
            (isMore ? (
              <History filter={filter} after={history.pageInfo.endCursor} />
            ) : (
              <Button onClick={() => setIsMore(true)}>{texts.more}</Button>
            ))}
        </>
      )}
    </Loaded>
  );
}

export function Entries({ entries }: { entries: readonly Entry[] }) {
  const messages = useMessages();
  return (
    <ol className="cs-history">
      {entries.map((entry, index) => (
        <li key={`${entry.at} ${index}`}>
          <time dateTime={entry.at}>{formatAt(entry, messages)}</time>
          <div>
            <p>{describeEntry(entry, messages)}</p>
            <Changes entry={entry} />
          </div>
        </li>
      ))}
    </ol>
  );
}

const impliedFields = new Set(['modifiedAt', 'version', 'confirmedAt', 'canceledAt', 'declinedAt']);

/** What changed, where the sentence alone does not say it. */
function Changes({ entry: { change, kind, fields } }: { entry: Entry }) {
  const messages = useMessages();
  const isShown = ({ name }: { name: string }) =>
    change === 'UPDATED' && !impliedFields.has(name) && (kind !== 'USER' || name in messages.parts.history.fields);
  const shown = fields.filter(isShown);
  if (shown.length === 0) return null;
  return (
    <dl>
      {shown.map(({ name, before, after, beforeName, afterName }) => (
        <div key={name}>
          <dt>{nameField(name, messages)}</dt>
          <dd>
            <del>{beforeName ?? formatValue(before, messages)}</del> →{' '}
            <ins>{afterName ?? formatValue(after, messages)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** By the clocks at the event, or else by those of the business. */
const formatAt = ({ at, atEvent }: Entry, messages: Messages): string =>
  atEvent?.local ? formatLocal(atEvent.local, messages) : formatMoment(Date.parse(at), readZone());

export function nameActor({ actorKind, actorName }: Entry, { parts: { history } }: Messages): string {
  if (actorKind === null) return history.service;
  if (actorKind === 'API_KEY') return history.key(actorName ?? '');
  return (actorKind !== 'OPERATOR' && actorName) || history.operator;
}

export function describeEntry(entry: Entry, messages: Messages): string {
  const { history } = messages.parts;
  const { kind, change, rowName, fields } = entry;
  const who = nameActor(entry, messages);
  const after = (name: string) => fields.find((field) => field.name === name)?.after;
  const name = rowName ?? '';
  if (kind === 'EVENT') {
    if (change === 'CREATED') return history.created(who);
    const status = after('status');
    if (typeof status === 'string') return history.status(who, formatValue(status, messages));
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
export function nameField(name: string, { event, parts }: Messages): string {
  return parts.history.fields[name] ?? (event.fields as Readonly<Record<string, string>>)[name] ?? name;
}

function formatValue(value: unknown, messages: Messages): string {
  const { history } = messages.parts;
  if (value === null || value === undefined || value === '') return history.nothing;
  if (typeof value === 'boolean') return value ? history.yes : history.no;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  const { statuses, calls } = messages.event;
  const words: Readonly<Record<string, string>> = {
    ...statuses,
    ...calls.units,
    ...calls.claims,
    ...messages.offers.states,
  };
  return words[text] ?? formatLocal(text, messages);
}
