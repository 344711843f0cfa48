import {
  ChangeEventDocument,
  EventForAdminDocument,
  SetEventValuesDocument,
} from '../../../generated/pages/console/event.ts';
import { useMemo, useState } from 'react';
import { readData } from '../../application/session.ts';
import { useWrite, type Fault } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { offerUndo } from '../parts/offer-undo.ts';
import { Button } from '../parts/button.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { showToast } from '../parts/toast.tsx';
import { ClashDialog, type Decision } from './clash-dialog.tsx';
import { ConflictNotice, type Base, type Conflict } from './conflict.tsx';
import { type Choices, type Event } from '../model/events.ts';
import { findChanges, findMove, pickChanges, toDraft, toEventInput, toTimes, type EventDraft } from './draft.ts';
import { MainFields, MoreFields, toValues, useFaults } from './fields.tsx';
import { formatWhen } from '../../time/when.ts';

interface Values extends EventDraft {
  /** What is changed; null until something is. */
  readonly base: Base | null;
}

/** A change that is asked about. */
interface Pending {
  readonly mine: EventDraft;
  readonly from: Base;
  readonly isMove: boolean;
}

/** The form of an event that is there. */
export function EventDetails({ event, choices }: { event: Event; choices: Choices }) {
  const messages = useMessages();
  const { event: texts, staffing, parts } = messages;
  const stored = useMemo((): Values => ({ ...toDraft(event), base: null }), [event]);
  const draft = useDraft<Values>(`event ${event.uuid}`, stored);
  const base: Base = draft.values.base ?? { version: event.version, draft: stored };
  const findFault = useFaults();
  const [checked, setChecked] = useState<Fault | null>(null);
  const [pending, setPending] = useState<Pending | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const change = useWrite(ChangeEventDocument);
  const custom = useWrite(SetEventValuesDocument);
  const refused = change.fault?.code === 'CLASH' || pending || conflict ? null : (change.fault ?? custom.fault);
  const fault = checked ?? refused;
  const fields = {
    draft: draft.values,
    faults: fault?.fields ?? {},
    onChange: (next: Partial<EventDraft>) => draft.change({ ...next, base }),
  };

  /** Writes what differs on top of a version, and values of custom fields after the others. */
  async function write(from: Base, to: EventDraft, how: object, dryRun = false) {
    const input = findChanges(toEventInput(from.draft), toEventInput(to));
    const values = toValues(from.draft, to, choices);
    let { version } = from;
    if (Object.keys(input).length > 0) {
      const { data, fault: no } = await change.write({ id: event.uuid, version, input: { ...input, ...how }, dryRun });
      if (no || dryRun) return { version, fault: no };
      ({ version } = data.change.event);
    }
    if (values.length === 0) return { version, fault: null };
    const { data, fault: no } = await custom.write({ id: event.uuid, version, values });
    return { version: data?.change.version ?? version, fault: no };
  }

  /** `mine` is what to store on top of the version `from`. */
  async function save(mine: EventDraft, from: Base, decision: Decision | null): Promise<void> {
    const wrong = findFault(mine);
    setChecked(wrong);
    setConflict(null);
    if (wrong) return;
    const input = findChanges(toEventInput(from.draft), toEventInput(mine));
    const isMove = ['startTime', 'endTime', 'timezone'].some((name) => name in input);
    const isPreview = isMove && event.callTimes.length + event.workShifts.length > 0 && !decision;
    const children = decision?.keepsChildren ? { children: 'KEEP' } : {};
    const how = { ...children, ...(decision?.reason && { override: { reason: decision.reason } }) };
    const { version, fault: no } = await write(from, mine, how, isPreview);
    if (no?.code === 'PRECONDITION_FAILED') return compare(mine, from);
    if ((isPreview && no?.code !== 'NETWORK') || no?.code === 'CLASH') return setPending({ mine, from, isMove });
    setPending(null);
    if (no) return;
    draft.discard();
    const back = { ...children, override: { reason: texts.actions.undoReason } };
    const undo = () => write({ version, draft: mine }, from.draft, back).finally(change.forgetFault);
    const hasMoved = !decision?.keepsChildren && findMove(from.draft, mine, event) !== null;
    const notBack = hasMoved ? texts.move.notBack : staffing.notBack.ended;
    const hasChildren = event.callTimes.length + event.workShifts.length > 0;
    offerUndo(texts.saved, undo, parts, isMove && hasChildren ? [notBack] : []);
  }

  /** Somebody else was faster: what have they changed? */
  async function compare(mine: EventDraft, from: Base): Promise<void> {
    const read = await readData(EventForAdminDocument, { id: event.uuid }).catch(() => null);
    setPending(null);
    if (!read) return;
    const theirs = { version: read.event.version, draft: toDraft(read.event) };
    const left = findChanges(toEventInput(theirs.draft), toEventInput(mine));
    if (Object.keys(left).length + toValues(theirs.draft, mine, choices).length > 0)
      return setConflict({ from, mine, theirs });
    // The answer to an earlier attempt was lost, but it was stored.
    draft.discard();
    showToast({ text: texts.saved });
  }

  function takeOver({ from, mine, theirs }: Conflict) {
    setConflict(null);
    change.forgetFault();
    draft.change({ ...mine, ...pickChanges(from.draft, theirs.draft), base: theirs });
    showToast({ text: texts.conflict.taken });
  }

  const when = (span: EventDraft) => formatWhen(toTimes(span), messages);
  const isPending = change.isPending || custom.isPending;
  return (
    <div className="ev-form">
      <Form
        draft={draft}
        fault={fault}
        isPending={isPending}
        onSubmit={() => void save(draft.values, base, null)}
        more={draft.isChanged && <Button onClick={draft.discard}>{texts.discard}</Button>}
      >
        {conflict && (
          <ConflictNotice
            id={event.uuid}
            conflict={conflict}
            choices={choices}
            // Only what was changed here; the rest stays as they have left it.
            onOverwrite={({ from, mine, theirs }) =>
              void save({ ...theirs.draft, ...pickChanges(from.draft, mine) }, theirs, null)
            }
            onTake={takeOver}
          />
        )}
        <MainFields {...fields} />
        <MoreFields {...fields} custom={choices.customFieldDefinitions} />
      </Form>
      <ClashDialog
        write={{ ...change, isPending }}
        move={
          pending?.isMove
            ? {
                moved: findMove(pending.from.draft, pending.mine, event),
                words: (
                  <dl className="ev-from-to">
                    <dt>{texts.move.from}</dt>
                    <dd>{when(pending.from.draft)}</dd>
                    <dt>{texts.move.to}</dt>
                    <dd>{when(pending.mine)}</dd>
                  </dl>
                ),
              }
            : null
        }
        onDecide={(decision) => pending && void save(pending.mine, pending.from, decision)}
        onClose={() => setPending(null)}
      />
    </div>
  );
}
