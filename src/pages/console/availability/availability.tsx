import {
  AddExceptionDocument,
  AddPatternDocument,
  AvailabilityDocument,
  RemoveExceptionDocument,
  RemovePatternDocument,
  type AvailabilityRule as Rule,
} from '../../../generated/pages/console/availability.ts';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { TypedDocument } from '../../application/document.ts';
import type { Weekday } from '../../application/session.ts';
import { formatLocalDay, readZone, startOfDay } from '../../time/span.ts';
import { formatMoment } from '../../time/zones.ts';
import { useRead, useWrite } from '../../application/data.ts';
import { addDays, formatDate, nameWeekday, weekdays } from '../../time/dates.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import type { FieldProps } from '../parts/field.tsx';
import { CheckField, DateField, SelectField, TextField, TimeField } from '../parts/fields.tsx';
import { Form, useFields } from '../parts/form.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import type { Exception, Pattern } from './data.ts';
import '../own-shifts/own-shifts.css';
import './availability.css';

/** What a person says of when they can work, for them and for admins. Dates are those of the zone that the page has set. */
export function Availability({ userId }: { userId: string }) {
  const messages = useMessages();
  const { availability: texts } = messages;
  const read = useRead(AvailabilityDocument, { staffId: userId });
  const [nowMs] = useState(() => Date.now());
  return (
    <Loaded read={read}>
      {({ availability: { patterns, exceptions, contradictedShifts } }) => (
        <div className="av-page">
          {contradictedShifts.length > 0 && (
            <Notice look="warning">
              <p>{texts.contradicted(contradictedShifts.length)}</p>
              <ul>
                {contradictedShifts.map(({ uuid, startsAt, event }) => (
                  <li key={uuid}>
                    <Link href={`/events/${event.uuid}`}>{event.title}</Link>,{' '}
                    {formatMoment(Date.parse(startsAt!), event.timezone)}
                  </li>
                ))}
              </ul>
              <p>{texts.bookingsStay}</p>
            </Notice>
          )}
          <section>
            <h2 tabIndex={-1}>{texts.week}</h2>
            <p className="cs-hint">{texts.weekLead}</p>
            <Said rows={patterns.map((each) => describePattern(each, messages))} remove={RemovePatternDocument} />
            <AddPattern userId={userId} />
          </section>
          <section>
            <h2 tabIndex={-1}>{texts.off}</h2>
            <Said
              rows={exceptions
                .filter(({ endsAt }) => Date.parse(endsAt) > nowMs)
                .map((each) => describeException(each, messages))}
              remove={RemoveExceptionDocument}
            />
            <AddException userId={userId} />
          </section>
        </div>
      )}
    </Loaded>
  );
}

interface SaidRow {
  readonly uuid: string;
  readonly what: string;
  readonly rest: readonly (string | null)[];
}

function describePattern(pattern: Pattern, { availability: texts, language }: Messages): SaidRow {
  const { uuid, rule, weekday, startTime, endTime, timezone, validFrom, validUntil } = pattern;
  const time = startTime === '00:00' && endTime === '00:00' ? texts.allDay : `${startTime}–${endTime}`;
  const dates = [validFrom && texts.validFrom(validFrom), validUntil && texts.validUntil(validUntil)];
  const zone = timezone === readZone() ? null : timezone;
  return {
    uuid,
    what: `${nameWeekday(weekday, language)}, ${time}`,
    rest: [texts.rules[rule], ...dates, zone],
  };
}

function describeException(exception: Exception, { availability: texts, language }: Messages): SaidRow {
  const { uuid, rule, startsAt, endsAt, note } = exception;
  const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)];
  const [first, last] = [formatLocalDay(start), formatLocalDay(end - 1)];
  const areWholeDays = startOfDay(first) === start && startOfDay(last, 1) === end;
  const ends = areWholeDays
    ? [...new Set([first, last])].map((day) => formatDate(day, 'long', language))
    : [start, end].map((ms) => formatMoment(ms, readZone()));
  return { uuid, what: ends.join(' – '), rest: [texts.rules[rule], note] };
}

/** What is said, each with a button that removes it. */
function Said({ rows, remove }: { rows: readonly SaidRow[]; remove: TypedDocument<unknown, { id: string }> }) {
  const { availability: texts } = useMessages();
  const { write, fault, isPending } = useWrite(remove);
  const list = useRef<HTMLUListElement>(null);
  async function removeOne(id: string) {
    if (!(await write({ id })).data) return;
    showToast({ text: texts.removed });
    list.current?.parentElement?.querySelector('h2')?.focus();
  }
  return (
    <>
      {fault && <Notice look="bad">{fault.message}</Notice>}
      {rows.length === 0 && <p>{texts.nothing}</p>}
      <ul className="av-list" ref={list}>
        {rows.map(({ uuid, what, rest }) => (
          <li key={uuid}>
            <span>
              <strong>{what}</strong> · {rest.filter(Boolean).join(' · ')}
            </span>
            <Button
              look="quiet"
              isBusy={isPending}
              aria-label={texts.remove(what)}
              onClick={() => void removeOne(uuid)}
            >
              ✕
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function RuleField(field: Pick<FieldProps<Rule>, 'value' | 'onChange' | 'error'>) {
  const { availability: texts } = useMessages();
  return <SelectField label={texts.rule} options={texts.rules} {...field} />;
}

/** Adds one window to each of the chosen days. */
function AddPattern({ userId }: { userId: string }) {
  const { availability: texts, language } = useMessages();
  const [days, setDays] = useState<readonly Weekday[]>([]);
  const [isTried, setIsTried] = useState(false);
  const { write, fault, isPending } = useWrite(AddPatternDocument);
  const { values, field } = useFields(
    { rule: 'AVAILABLE' as Rule, isAllDay: false, startTime: '09:00', endTime: '17:00' },
    fault,
  );
  const { rule, isAllDay, startTime, endTime } = values;

  async function add() {
    setIsTried(days.length === 0);
    const times = isAllDay ? { startTime: '00:00', endTime: '00:00' } : { startTime, endTime };
    for (const weekday of days) {
      const { data } = await write({ staffId: userId, input: { rule, weekday, ...times, timezone: readZone() } });
      if (!data) return;
      setDays((before) => before.filter((day) => day !== weekday));
    }
    if (days.length > 0) showToast({ text: texts.added });
  }

  return (
    <Form fault={fault} isPending={isPending} onSubmit={() => void add()} action={texts.add}>
      <div className="av-pair" role="group" aria-label={texts.days}>
        {weekdays.map((day) => (
          <Button
            key={day}
            look={days.includes(day) ? 'primary' : 'plain'}
            aria-pressed={days.includes(day)}
            onClick={() => setDays(weekdays.filter((each) => days.includes(each) !== (each === day)))}
          >
            {nameWeekday(day, language)}
          </Button>
        ))}
      </div>
      {isTried && days.length === 0 && <Notice look="bad">{texts.noDay}</Notice>}
      <RuleField {...field('rule')} />
      <CheckField label={texts.allDay} {...field('isAllDay')} />
      {!isAllDay && (
        <div className="av-pair">
          <TimeField label={texts.from} {...field('startTime')} />
          <TimeField label={texts.until} hint={texts.untilHint} {...field('endTime')} />
        </div>
      )}
      <p className="cs-hint">{texts.zone(readZone())}</p>
    </Form>
  );
}

/** Adds whole days. */
function AddException({ userId }: { userId: string }) {
  const { availability: texts } = useMessages();
  const [tomorrow] = useState(() => addDays(formatLocalDay(Date.now()), 1));
  const { write, fault, isPending } = useWrite(AddExceptionDocument);
  const { values, change, field } = useFields(
    { first: tomorrow, endsAt: '', rule: 'UNAVAILABLE' as Rule, note: '' },
    fault,
  );
  const { first, endsAt: last, rule, note } = values;

  async function add() {
    const [startsAt, endsAt] = [startOfDay(first), startOfDay(last || first, 1)].map((ms) =>
      new Date(ms).toISOString(),
    );
    const { data } = await write({ staffId: userId, input: { rule, startsAt, endsAt, note: note.trim() || null } });
    if (!data) return;
    change({ endsAt: '', note: '' });
    showToast({ text: texts.added });
  }

  return (
    <Form fault={fault} isPending={isPending} onSubmit={() => void add()} action={texts.add}>
      <div className="av-pair">
        <DateField label={texts.firstDay} value={first} onChange={(day) => change({ first: day || first })} />
        <DateField label={texts.lastDay} isOptional {...field('endsAt')} />
      </div>
      <RuleField {...field('rule')} />
      <TextField label={texts.note} isOptional {...field('note')} />
    </Form>
  );
}
