import {
  CreateEventDocument,
  EventChoicesDocument,
  SetEventValuesDocument,
} from '../../../generated/pages/console/event.ts';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { readClock } from '../../time/zones.ts';
import { useRead, useViewer, useWrite, type Fault } from '../../application/data.ts';
import { isDay } from '../../time/dates.ts';
import { useMessages } from '../messages/messages.ts';
import { SelectField } from '../parts/fields.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { Page } from '../parts/frame.tsx';
import { Loaded } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { isChanged, isFaulty, refuseRows, toChange, withEmptyRow, type CallRow } from './call-rows.ts';
import { CallTable } from './calls.tsx';
import { ClashDialog } from './clash-dialog.tsx';
import { type Choices } from '../model/events.ts';
import { newDraft, toEventInput, type EventDraft } from './draft.ts';
import { MainFields, MoreFields, toValues, useFaults } from './fields.tsx';
import './event.css';

/** How many call times one request creates with an event. */
const mostCalls = 50;

interface Values extends EventDraft {
  readonly status: 'ACTIVE' | 'DRAFT';
  readonly rows: readonly CallRow[];
}

export default function NewEvent() {
  const { event: texts } = useMessages();
  const read = useRead(EventChoicesDocument);
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
  const findFault = useFaults();
  const [checked, setChecked] = useState<Fault | null>(null);
  const creation = useWrite(CreateEventDocument);
  const custom = useWrite(SetEventValuesDocument);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const fault = checked ?? (creation.fault?.code === 'CLASH' ? null : creation.fault);
  const fields = { draft: values, faults: fault?.fields ?? {}, onChange: change };

  async function submit(reason: string | null) {
    const calls = values.rows.filter(isChanged);
    const wrong = findFault(values, calls.filter((row) => isFaulty(row, values, choices)).length);
    setChecked(wrong);
    if (wrong) return;
    const callTimes = calls.map((row) => toChange(row, values, choices));
    const override = reason !== null && { override: { reason } };
    const input = { ...toEventInput(values), ...override, status: values.status, callTimes };
    const { data, fault: refused } = await creation.write({ input });
    if (!data) return change({ rows: refuseRows(values.rows, calls, refused) });
    const { uuid, title } = data.createEvent;
    const own = toValues(newDraft('', ''), values, choices);
    const failed = own.length > 0 ? (await custom.write({ id: uuid, values: own })).fault : null;
    draft.discard();
    showToast({ text: [texts.created(title), failed?.message].filter(Boolean).join(' ') });
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
            options={texts.statusHint}
            onChange={(status) => change({ status })}
          />
        }
      >
        <MainFields {...fields} />
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
        <MoreFields {...fields} custom={choices.customFieldDefinitions} />
      </Form>
      <ClashDialog write={creation} onDecide={({ reason }) => void submit(reason)} />
    </div>
  );
}
