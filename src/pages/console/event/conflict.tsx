import { EventActorDocument } from '../../../generated/pages/console/event.ts';
import { useEffect } from 'react';
import { useRead } from '../../application/data.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { returnFocus } from '../parts/dialog.tsx';
import { nameActor, nameField } from '../parts/history.tsx';
import { Notice } from '../parts/notice.tsx';
import type { Choices } from '../model/events.ts';
import { toTimes, type EventDraft } from './draft.ts';
import { formatWhen } from '../../time/when.ts';

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
}

/** Says who has changed what, and asks whose values are to stay. */
export function ConflictNotice({ id, conflict, choices, onOverwrite, onTake }: Props) {
  const messages = useMessages();
  const { conflict: texts } = messages.event;
  const { data } = useRead(EventActorDocument, { id });
  const actor = data?.history?.nodes.find(({ kind }) => /^EVENT|VALUE$/.test(kind));
  // The buttons go with the notice.
  useEffect(() => () => queueMicrotask(() => document.activeElement === document.body && returnFocus(null)), []);
  const { from, mine, theirs } = conflict;
  const [was, now, typed] = [from.draft, theirs.draft, mine].map((draft) => describe(draft, choices, messages));
  const rows = [...now!].filter(([name, value]) => value !== was!.get(name));
  return (
    <Notice look="bad">
      <p>{texts.lead(actor ? nameActor(actor, messages) : texts.somebody)}</p>
      {rows.length === 0 && <p>{texts.none}</p>}
      <ul>
        {rows.map(([name, value]) => (
          <li key={name}>{texts.both(name, value, typed!.get(name) === was!.get(name) ? null : typed!.get(name)!)}</li>
        ))}
      </ul>
      <div className="cb-buttons">
        <Button look="primary" onClick={() => onTake(conflict)}>
          {texts.take}
        </Button>
        <Button onClick={() => onOverwrite(conflict)}>{texts.overwrite}</Button>
      </div>
    </Notice>
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
