import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import type { Choices, Event } from './documents.ts';
import { toTimes, type EventDraft } from './draft.ts';
import { nameActor, nameField, type HistoryData } from './history.tsx';
import { formatWhen } from './when.ts';

/** What somebody else has saved, and what was typed here meanwhile. */
export interface Conflict {
  /** As it is now. */
  readonly event: Event & NonNullable<HistoryData['event']>;
  readonly before: EventDraft;
  readonly mine: EventDraft;
  readonly theirs: EventDraft;
}

interface Props {
  readonly conflict: Conflict;
  readonly choices: Choices;
  readonly onOverwrite: () => void;
  readonly onTake: () => void;
  readonly onClose: () => void;
}

export function ConflictDialog({ conflict, choices, onOverwrite, onTake, onClose }: Props) {
  const messages = useMessages();
  const { conflict: texts } = messages.event;
  const { event, before, mine, theirs } = conflict;
  const shown = [before, theirs, mine].map((draft) => describe(draft, choices, messages));
  const [was, now, typed] = shown as [Described, Described, Described];
  const rows = [...now].filter(([name, value]) => value !== was.get(name));
  const actors = event.history?.nodes.filter(({ kind }) => /^EVENT|VALUE$/.test(kind)) ?? [];
  const [actor] = actors;
  return (
    <Dialog
      title={texts.title}
      isWide
      onClose={onClose}
      actions={
        <>
          <Button look="primary" onClick={onTake}>
            {texts.take}
          </Button>
          <Button onClick={onOverwrite}>{texts.overwrite}</Button>
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
              <th scope="col">{texts.field}</th>
              <th scope="col">{texts.theirs}</th>
              <th scope="col">{texts.yours}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
                <td>{typed.get(name) === was.get(name) ? texts.unchanged : typed.get(name)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}

type Described = ReadonlyMap<string, string>;

/** The fields of a form in words, by their labels. */
function describe(draft: EventDraft, { customFieldDefinitions }: Choices, messages: Messages): Described {
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
