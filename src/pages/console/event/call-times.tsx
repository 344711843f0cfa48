import { useMemo, useState } from 'react';
import type { Fault } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { showToast } from '../parts/toast.tsx';
import { isChanged, isFaulty, mergeRows, toRow, withEmptyRow, type CallRow } from './call-rows.ts';
import { CallTable } from './calls.tsx';
import { ClashDialog } from './clash-dialog.tsx';
import type { Choices, Event } from './documents.ts';
import { toDraft } from './draft.ts';
import { saveCalls, type Refusal } from './save.ts';
import type { Clash } from '../staffing/clashes.ts';

const mostCalls = 200;

interface Values {
  /** Null until something is changed. */
  readonly rows: readonly CallRow[] | null;
}

const unchanged: Values = { rows: null };

/** The call times of an event that is there: all changed rows are saved at once. */
export function CallTimes({ event, choices }: { event: Event; choices: Choices }) {
  const { event: texts, shell, staffing } = useMessages();
  const { calls } = texts;
  const span = useMemo(() => toDraft(event), [event]);
  const draft = useDraft<Values>(`calls ${event.uuid}`, unchanged);
  const typed = draft.values.rows;
  const stored = useMemo(() => withEmptyRow(event.callTimes.map((call) => toRow(call, span))), [event, span]);
  const rows = useMemo(
    () => (typed === null ? stored : mergeRows(typed, event.callTimes, span)),
    [typed, stored, event, span],
  );
  const [fault, setFault] = useState<Fault | null>(null);
  const [isPending, setIsPending] = useState(false);
  const [clashes, setClashes] = useState<readonly Clash[]>([]);
  const changed = rows.filter(isChanged);

  const fail = (code: string, message: string) => setFault({ code, message, fields: {}, details: {} });

  /** What somebody else has changed is shown beside the row. */
  function describe(refusal: Refusal | null | undefined): string | null {
    if (!refusal || refusal.code === 'PRECONDITION_FAILED') return null;
    return refusal.code === 'CLASH' ? staffing.reasonNeeded : refusal.message;
  }

  async function save(reason: string | null) {
    const faulty = rows.filter((row) => isFaulty(row, span, choices)).length;
    if (faulty > 0) return fail('VALIDATION_FAILED', texts.faults.rows(faulty));
    setFault(null);
    setIsPending(true);
    try {
      const results = await saveCalls(event.uuid, rows, { event: span, choices, reason });
      setClashes([...results.values()].flatMap((refusal) => refusal?.clashes ?? []));
      const refused = [...results.values()].filter((refusal) => refusal !== null).length;
      if (refused === 0) {
        draft.discard();
        return showToast({ text: calls.stored(results.size) });
      }
      draft.change({
        rows: rows
          .filter(({ key, stored: known }) => known !== null || results.get(key) !== null)
          .map((row) => ({ ...row, refusal: describe(results.get(row.key)) })),
      });
      fail('REFUSED', calls.someStored(results.size - refused, refused));
    } catch {
      fail('NETWORK', shell.notSaved);
    } finally {
      setIsPending(false);
    }
  }

  return (
    <div className="ev-form">
      <Form
        draft={draft}
        fault={fault}
        isPending={isPending}
        onSubmit={() => void save(null)}
        more={
          <>
            {draft.isChanged && <Button onClick={draft.discard}>{texts.discard}</Button>}
            <span className="ev-hint">{changed.length > 0 && calls.changed(changed.length)}</span>
          </>
        }
      >
        <CallTable
          rows={rows}
          event={span}
          choices={choices}
          most={mostCalls}
          showsFaults={fault !== null}
          onChange={(next) => draft.change({ rows: next })}
        />
      </Form>
      {clashes.length > 0 && (
        <ClashDialog
          question={{ moved: null, mayKeep: false, clashes, refusal: null }}
          isBusy={isPending}
          onDecide={({ reason }) => void save(reason)}
          onClose={() => setClashes([])}
        />
      )}
    </div>
  );
}
