import { useMemo, useState } from 'react';
import { readData } from '../../application/session.ts';
import { useWrite, type Fault } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { showToast } from '../parts/toast.tsx';
import { ClashDialog, type Decision, type Question } from './clash-dialog.tsx';
import { ConflictDialog, type Conflict } from './conflict.tsx';
import { conflictQuery, setValues, type Choices, type Event } from './documents.ts';
import { findChanges, findCustomChanges, findMove, toDraft, toEventInput, toTimes, type EventDraft } from './draft.ts';
import { MainFields, MoreFields, useFaults } from './fields.tsx';
import { toValue } from './new.tsx';
import { changeEvent } from './save.ts';
import { formatWhen } from './when.ts';

/** An event as it was when somebody began to change it. */
interface Base {
  readonly version: number;
  readonly draft: EventDraft;
}

/** What is to be saved, on top of which version. */
interface Pending {
  readonly mine: EventDraft;
  readonly from: Base;
}

interface Values extends EventDraft {
  /** Null until something is changed. */
  readonly base: Base | null;
}

/** The form of an event that is there. */
export function EventDetails({ event, choices }: { event: Event; choices: Choices }) {
  const messages = useMessages();
  const { event: texts, shell } = messages;
  const stored = useMemo((): Values => ({ ...toDraft(event), base: null }), [event]);
  const draft = useDraft<Values>(`event ${event.uuid}`, stored);
  const base: Base = draft.values.base ?? { version: event.version, draft: stored };
  const findFaults = useFaults();
  const custom = useWrite(setValues);
  const [fault, setFault] = useState<Fault | null>(null);
  const [isPending, setIsPending] = useState(false);
  const [question, setQuestion] = useState<(Question & Pending) | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const onChange = (next: Partial<EventDraft>) => draft.change({ ...next, base });

  const fail = (code: string, message: string, fields: Fault['fields'] = {}) =>
    setFault({ code, message, fields, details: {} });

  /** `mine` is what to store on top of the version `from`. */
  async function save(mine: EventDraft, from: Base, decision: Decision | null): Promise<void> {
    const faults = findFaults(mine);
    if (Object.keys(faults).length > 0) return fail('VALIDATION_FAILED', texts.faults.form, faults);
    const input = findChanges(toEventInput(from.draft), toEventInput(mine));
    const own = findCustomChanges(from.draft, mine);
    const isMove = ['startTime', 'endTime', 'timezone'].some((name) => name in input);
    const isPreview = isMove && event.callTimes.length + event.workShifts.length > 0 && !decision;
    setFault(null);
    setIsPending(true);
    let { version } = from;
    try {
      if (Object.keys(input).length > 0) {
        const change = {
          ...input,
          ...(decision?.keepsChildren && { children: 'KEEP' }),
          ...(decision?.reason && { override: { reason: decision.reason } }),
        };
        const outcome = await changeEvent(event.uuid, from.version, change, isPreview);
        const { refusal, clashes } = outcome;
        if (refusal?.code === 'PRECONDITION_FAILED') return await compare(mine, from);
        if (isPreview || refusal?.code === 'CLASH')
          return setQuestion({
            mine,
            from,
            moved: isMove && !decision?.keepsChildren ? findMove(from.draft, mine, event) : null,
            mayKeep: isMove,
            clashes,
            refusal: refusal?.message ?? null,
          });
        setQuestion(null);
        if (refusal) return fail(refusal.code, refusal.message, refusal.fields);
        version = outcome.version ?? version;
      }
      if (own.length > 0) {
        const values = own.map(toValue(choices));
        const refused = (await custom.write({ id: event.uuid, version, values })).fault;
        if (refused?.code === 'PRECONDITION_FAILED') return await compare(mine, from);
        if (refused) return setFault(refused);
      }
      setConflict(null);
      draft.discard();
      showToast({ text: texts.saved });
    } catch {
      setQuestion(null);
      fail('NETWORK', shell.notSaved);
    } finally {
      setIsPending(false);
    }
  }

  /** Somebody else was faster: what have they changed? */
  async function compare(mine: EventDraft, from: Base): Promise<void> {
    const read = await readData<{ event: Conflict['event'] }>(conflictQuery, { id: event.uuid });
    const theirs = { version: read.event.version, draft: toDraft(read.event) };
    setQuestion(null);
    // The answer to an earlier attempt was lost, but it was stored.
    const left = findChanges(toEventInput(theirs.draft), toEventInput(mine));
    if (Object.keys(left).length + findCustomChanges(theirs.draft, mine).length === 0) return save(mine, theirs, null);
    setConflict({ event: read.event, before: from.draft, mine, theirs: theirs.draft });
  }

  function overwrite({ event: now, before, mine, theirs }: Conflict) {
    setConflict(null);
    // Only what was changed here; the rest stays as they have left it.
    const kept = pickChanges(before, mine);
    void save({ ...theirs, ...kept }, { version: now.version, draft: theirs }, null);
  }

  function takeOver({ event: now, before, mine, theirs }: Conflict) {
    setConflict(null);
    const next = { ...mine, ...pickChanges(before, theirs) };
    draft.change({ ...next, base: { version: now.version, draft: theirs } });
    showToast({ text: texts.conflict.taken });
  }

  const when = (span: EventDraft) => formatWhen(toTimes(span), messages);
  return (
    <div className="ev-form">
      <Form
        draft={draft}
        fault={fault}
        isPending={isPending}
        onSubmit={() => void save(draft.values, base, null)}
        more={draft.isChanged && <Button onClick={draft.discard}>{texts.discard}</Button>}
      >
        <MainFields draft={draft.values} faults={fault?.fields ?? {}} onChange={onChange} />
        <MoreFields
          draft={draft.values}
          faults={fault?.fields ?? {}}
          custom={choices.customFieldDefinitions}
          onChange={onChange}
        />
      </Form>
      {question && (
        <ClashDialog
          key={question.clashes.length}
          question={question}
          isBusy={isPending}
          onDecide={(decision) => void save(question.mine, question.from, decision)}
          onClose={() => setQuestion(null)}
        >
          <dl className="ev-from-to">
            <dt>{texts.move.from}</dt>
            <dd>{when(question.from.draft)}</dd>
            <dt>{texts.move.to}</dt>
            <dd>{when(question.mine)}</dd>
          </dl>
        </ClashDialog>
      )}
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          choices={choices}
          onOverwrite={() => overwrite(conflict)}
          onTake={() => takeOver(conflict)}
          onClose={() => setConflict(null)}
        />
      )}
    </div>
  );
}

/** The fields of the second that the first has otherwise. */
function pickChanges(before: EventDraft, after: EventDraft): Partial<EventDraft> {
  const { custom, ...fields } = after;
  const changed = Object.entries(fields).filter(
    ([name, value]) => name !== 'base' && JSON.stringify(value) !== JSON.stringify(before[name as keyof EventDraft]),
  );
  const own = Object.entries(custom).filter(([uuid, value]) => value !== (before.custom[uuid] ?? ''));
  return {
    ...Object.fromEntries(changed),
    ...(own.length > 0 && { custom: { ...before.custom, ...Object.fromEntries(own) } }),
  };
}
