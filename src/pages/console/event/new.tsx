import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { readClock } from '../../board/zones.ts';
import { useRead, useViewer, useWrite, type Fault } from '../data.ts';
import { isDay } from '../events/dates.ts';
import { useMessages } from '../messages/messages.ts';
import { SelectField } from '../parts/fields.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { Page } from '../parts/frame.tsx';
import { Loaded } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { isChanged, isFaulty, withEmptyRow, type CallRow } from './call-rows.ts';
import { CallTable } from './calls.tsx';
import { ClashDialog } from './clash-dialog.tsx';
import { choicesQuery, createEvent, setValues, type Choices } from './documents.ts';
import { findCustomChanges, newDraft, readCall, toEventInput, type EventDraft } from './draft.ts';
import { MainFields, MoreFields, useFaults } from './fields.tsx';
import type { Clash } from '../staffing/clashes.ts';

/** How many call times one request creates with an event. */
const mostCalls = 50;

interface Values extends EventDraft {
  readonly status: 'ACTIVE' | 'DRAFT';
  readonly rows: readonly CallRow[];
}

export function NewEvent() {
  const { event: texts } = useMessages();
  const read = useRead<Choices>(choicesQuery);
  return (
    <Page title={texts.newTitle}>
      <Loaded read={read}>{(choices) => <NewEventForm choices={choices} />}</Loaded>
    </Page>
  );
}

function NewEventForm({ choices }: { choices: Choices }) {
  const { event: texts } = useMessages();
  const { timezone } = useViewer().business;
  const day = new URLSearchParams(useSearch()).get('day');
  const [, navigate] = useLocation();
  const [stored] = useState((): Values => ({
    ...newDraft(isDay(day) ? day : new Date(readClock(Date.now(), timezone)).toISOString().slice(0, 10), timezone),
    status: 'ACTIVE',
    rows: withEmptyRow([]),
  }));
  const draft = useDraft<Values>('event new', stored);
  const { values, change } = draft;
  const findFaults = useFaults();
  const [checked, setChecked] = useState<Fault | null>(null);
  const creation = useWrite<{ createEvent: { uuid: string; title: string } }>(createEvent);
  const custom = useWrite(setValues);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const clash = creation.fault?.code === 'CLASH' ? creation.fault : null;
  const fault = checked ?? (clash ? null : creation.fault);

  async function submit(reason: string | null) {
    const fields = findFaults(values);
    const calls = values.rows.filter(isChanged);
    const faulty = calls.filter((row) => isFaulty(row, values, choices)).length;
    if (Object.keys(fields).length > 0 || faulty > 0) {
      const message = faulty > 0 ? texts.faults.rows(faulty) : texts.faults.form;
      return setChecked({ code: 'VALIDATION_FAILED', message, fields, details: {} });
    }
    setChecked(null);
    const callTimes = calls.map((row) => readCall(row.draft, values, choices).input);
    const override = reason !== null && { override: { reason } };
    const input = { ...toEventInput(values), ...override, status: values.status, callTimes };
    const { data, fault: refused } = await creation.write({ input });
    if (!data) {
      const refusals = new Map(
        Object.entries(refused.fields).flatMap(([path, text]) => {
          const [, index] = /^callTimes\D+(\d+)/.exec(path) ?? [];
          return index === undefined ? [] : [[calls[Number(index)]?.key, text] as const];
        }),
      );
      return change({ rows: values.rows.map((row) => ({ ...row, refusal: refusals.get(row.key) ?? null })) });
    }
    const { uuid, title } = data.createEvent;
    const own = findCustomChanges(newDraft('', ''), values).map(toValue(choices));
    const failed = own.length > 0 ? (await custom.write({ id: uuid, values: own })).fault : null;
    draft.discard();
    showToast({ text: failed ? `${texts.created(title)} ${failed.message}` : texts.created(title) });
    navigate(`/events/${uuid}${failed ? '?tab=details' : ''}`);
  }

  return (
    <div ref={form} className="ev-form">
      <Form
        draft={draft}
        fault={fault}
        isPending={creation.isPending || custom.isPending}
        action={texts.create}
        onSubmit={() => void submit(null)}
        more={
          <SelectField
            label={texts.createAs}
            isLabelHidden
            value={values.status}
            options={(['ACTIVE', 'DRAFT'] as const).map((value) => ({ value, label: texts.statusHint[value] }))}
            onChange={(status) => change({ status })}
          />
        }
      >
        <MainFields draft={values} faults={fault?.fields ?? {}} onChange={change} />
        <section className="ev-block" aria-labelledby="new-calls">
          <h2 id="new-calls">{texts.calls.caption}</h2>
          <CallTable
            rows={values.rows}
            event={values}
            choices={choices}
            most={mostCalls}
            showsFaults={checked !== null}
            onChange={(rows) => change({ rows })}
          />
        </section>
        <MoreFields
          draft={values}
          faults={fault?.fields ?? {}}
          custom={choices.customFieldDefinitions}
          onChange={change}
        />
      </Form>
      {clash && (
        <ClashDialog
          question={{ moved: null, mayKeep: false, clashes: clash.details['clashes'] as Clash[], refusal: null }}
          isBusy={creation.isPending}
          onDecide={({ reason }) => void submit(reason)}
          onClose={creation.forgetFault}
        />
      )}
    </div>
  );
}

/** A value of a custom field as the service takes it. */
export const toValue =
  ({ customFieldDefinitions }: Choices) =>
  ({ fieldUuid, value }: { fieldUuid: string; value: string }) => ({
    fieldId: customFieldDefinitions.find(({ uuid }) => uuid === fieldUuid)?.id,
    value: value.trim() || null,
  });
