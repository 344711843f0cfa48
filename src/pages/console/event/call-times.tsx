import { ChangeCallTimesDocument } from '../../../generated/pages/console/event.ts';
import { useMemo, useState } from 'react';
import { useWrite, type Fault } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { offerUndo } from '../parts/offer-undo.ts';
import { Button } from '../parts/button.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import {
  endsOffers,
  isChanged,
  isFaulty,
  mergeRows,
  refuseRows,
  toChange,
  toRow,
  toTyped,
  toUndo,
  type TypedRow,
} from './call-rows.ts';
import { CallTable } from './calls.tsx';
import { ClashDialog } from './clash-dialog.tsx';
import { type Choices, type Event } from '../model/events.ts';
import { toDraft, type Input } from './draft.ts';

/** How many rows one request changes. */
const mostChanges = 100;

interface Values {
  /** Null until something is changed. */
  readonly rows: readonly TypedRow[] | null;
}

const unchanged: Values = { rows: null };

/** The call times of an event that is there: all changed rows are saved together or not at all. */
export function CallTimes({ event, choices }: { event: Event; choices: Choices }) {
  const { event: texts, parts } = useMessages();
  const { uuid: eventId, callTimes } = event;
  const span = useMemo(() => toDraft(event), [event]);
  const draft = useDraft<Values>(`calls ${eventId}`, unchanged);
  const typed = draft.values.rows;
  const stored = useMemo(() => callTimes.map((call) => toRow(call, span)), [callTimes, span]);
  const rows = useMemo(() => mergeRows(typed ?? [], stored), [typed, stored]);
  const [checked, setChecked] = useState<Fault | null>(null);
  const change = useWrite(ChangeCallTimesDocument);
  const changed = rows.filter(isChanged);
  const fault = checked ?? (change.fault?.code === 'CLASH' ? null : change.fault);

  const write = (changes: readonly Input[], reason: string | null) =>
    change.write({
      input: { eventId, changes, ...(reason !== null && { allowOverfill: true, override: { reason } }) },
    });

  async function save(reason: string | null) {
    const faulty = changed.filter((row) => isFaulty(row, span, choices)).length;
    const message = texts.faults.rows(faulty);
    setChecked(faulty > 0 ? { code: 'VALIDATION_FAILED', message, fields: {}, details: {} } : null);
    if (faulty > 0 || changed.length === 0) return;
    const { data, fault: refused } = await write(
      changed.map((row) => toChange(row, span, choices)),
      reason,
    );
    if (refused) return draft.change({ rows: toTyped(refuseRows(rows, changed, refused)) });
    draft.discard();
    const back = changed.map((row, index) => toUndo(row, data.change.callTimes[index]!, span, choices));
    const undo = () => write(back, texts.actions.undoReason).finally(change.forgetFault);
    const notBack = changed.some(endsOffers) ? [texts.calls.notBack] : [];
    offerUndo(texts.calls.stored(changed.length), undo, parts, notBack);
  }

  return (
    <div className="ev-form">
      <Form
        draft={draft}
        fault={fault}
        isPending={change.isPending}
        onSubmit={() => void save(null)}
        more={
          <>
            {draft.isChanged && <Button onClick={draft.discard}>{texts.discard}</Button>}
            <span className="ev-hint">{changed.length > 0 && texts.calls.changed(changed.length)}</span>
          </>
        }
      >
        <CallTable
          rows={rows}
          event={span}
          choices={choices}
          most={mostChanges}
          showsFaults={checked !== null}
          onChange={(next) => draft.change({ rows: toTyped(next) })}
        />
      </Form>
      <ClashDialog write={change} onDecide={({ reason }) => void save(reason)} />
    </div>
  );
}
