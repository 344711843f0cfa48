import { useRead } from '../data.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { historyFields, nameActor, nameField, type Entry } from '../parts/history.tsx';
import type { Choices } from './documents.ts';
import { toTimes, type EventDraft } from './draft.ts';
import { formatWhen } from './when.ts';

/** An event as it was when somebody began to change it. */
export interface Base {
  readonly version: number;
  readonly draft: EventDraft;
}

/** What somebody else has saved, and what was typed here meanwhile. */
export interface Conflict {
  readonly from: Base;
  readonly mine: EventDraft;
  readonly theirs: Base;
}

interface Props {
  readonly id: string;
  readonly conflict: Conflict;
  readonly choices: Choices;
  readonly onOverwrite: (conflict: Conflict) => void;
  readonly onTake: (conflict: Conflict) => void;
  readonly onClose: () => void;
}

const actorQuery = `query EventActor($id: ID!) {
  history(filter: { eventId: $id }, first: 5) { nodes {${historyFields} } }
}`;

export function ConflictDialog({ id, conflict, choices, onOverwrite, onTake, onClose }: Props) {
  const messages = useMessages();
  const { conflict: texts } = messages.event;
  const { data } = useRead<{ history: { nodes: readonly Entry[] } | null }>(actorQuery, { id });
  const actor = data?.history?.nodes.find(({ kind }) => /^EVENT|VALUE$/.test(kind));
  const { from, mine, theirs } = conflict;
  const [was, now, typed] = [from.draft, theirs.draft, mine].map((draft) => describe(draft, choices, messages));
  const rows = [...now!].filter(([name, value]) => value !== was!.get(name));
  return (
    <Dialog
      title={texts.title}
      isWide
      onClose={onClose}
      actions={
        <>
          <Button look="primary" onClick={() => onTake(conflict)}>
            {texts.take}
          </Button>
          <Button onClick={() => onOverwrite(conflict)}>{texts.overwrite}</Button>
        </>
      }
    >
      <p>{texts.lead(actor ? nameActor(actor, messages) : texts.somebody)}</p>
      {rows.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <table className="ev-table">
          <caption className="app-hidden">{texts.title}</caption>
          <thead>
            <tr>
              {[texts.field, texts.theirs, texts.yours].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
                <td>{typed!.get(name) === was!.get(name) ? texts.unchanged : typed!.get(name)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}

/** The fields of a form in words, by their labels. */
function describe(draft: EventDraft, { customFieldDefinitions }: Choices, messages: Messages) {
  const { when, none, fields } = messages.event;
  const texts = Object.keys(fields).flatMap((name) => {
    const value = draft[name as keyof EventDraft];
    return typeof value === 'string' ? [[nameField(name, messages), value || none] as const] : [];
  });
  return new Map([
    ...texts,
    [when.section, formatWhen(toTimes(draft), messages)],
    [when.timezone, draft.timezone],
    [fields.client, draft.client?.name ?? none],
    ...customFieldDefinitions.map(({ uuid, name }) => [name, draft.custom[uuid] || none] as const),
  ]);
}
