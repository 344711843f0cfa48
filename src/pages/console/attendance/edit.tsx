import { ChangeAttendanceDocument } from '../../../generated/pages/console/attendance.ts';
import { useState } from 'react';
import { formatTime, readClock, toInstant } from '../../time/zones.ts';
import { useWrite } from '../../application/data.ts';
import { addDays } from '../../time/dates.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { CheckField, DateField, LongTextField, NumberField, TextField, TimeField } from '../parts/fields.tsx';
import { useFields } from '../parts/form.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { showToast } from '../parts/toast.tsx';
import { fullName } from '../changes/steps.ts';
import { describePlan, type Attendance } from './data.ts';

interface Values {
  readonly day: string;
  readonly came: string;
  readonly left: string;
  readonly breakMinutes: string;
  readonly paidEarly: boolean;
  readonly noShow: boolean;
  readonly note: string;
  readonly changeReason: string;
}

function valuesOf(row: Attendance): Values {
  const { checkedInAt, checkedOutAt, timezone } = row;
  const time = (at: string | null) => (at === null ? '' : formatTime(Date.parse(at), timezone));
  const first = Date.parse(checkedInAt ?? row.startsAt ?? new Date().toISOString());
  return {
    day: new Date(readClock(first, timezone)).toISOString().slice(0, 10),
    came: time(checkedInAt),
    left: time(checkedOutAt),
    breakMinutes: String(row.breakMinutes),
    paidEarly: row.paidEarly,
    noShow: row.noShow,
    note: row.note ?? '',
    changeReason: '',
  };
}

/** Day and times of the plan. */
const planOf = ({ timezone }: Attendance, startsAt: string, endsAt: string) => ({
  day: new Date(readClock(Date.parse(startsAt), timezone)).toISOString().slice(0, 10),
  came: formatTime(Date.parse(startsAt), timezone),
  left: formatTime(Date.parse(endsAt), timezone),
});

/** What has changed, as the service takes it. Times by the clocks of the event; somebody leaves at the first such time after they came. */
function inputOf(row: Attendance, stored: Values, values: Values): object {
  const { day, came, left, breakMinutes, changeReason, ...others } = values;
  const isOtherCame = day !== stored.day || came !== stored.came;
  const at = (on: string, time: string) => toInstant(Date.parse(`${on}T${time}:00Z`), row.timezone);
  const cameMs = came === '' ? null : isOtherCame ? at(day, came) : Date.parse(row.checkedInAt!);
  const leftMs = left === '' || cameMs === null ? null : at(left < came ? addDays(day, 1) : day, left);
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const plain = Object.entries(others).filter(([name, value]) => value !== stored[name as keyof Values]);
  return {
    ...Object.fromEntries(plain),
    ...(isOtherCame && (came !== '' || row.checkedInAt) && { checkedInAt: iso(cameMs) }),
    ...((left !== stored.left || (isOtherCame && left !== '')) && { checkedOutAt: iso(leftMs) }),
    ...(breakMinutes !== stored.breakMinutes && { breakMinutes: Number(breakMinutes) }),
    ...(changeReason !== '' && { changeReason }),
  };
}

/** Sets times, breaks, a no-show and a note. What is approved needs a reason. */
export function EditDialog({ row, onClose }: { row: Attendance; onClose: () => void }) {
  const { attendance, myShifts } = useMessages();
  const { form: texts } = attendance;
  const [stored] = useState(() => valuesOf(row));
  const { write, isPending, fault } = useWrite(ChangeAttendanceDocument);
  const { values, change, field } = useFields(
    stored,
    fault && {
      ...fault,
      fields: { ...fault.fields, came: fault.fields['checkedInAt'] ?? '', left: fault.fields['checkedOutAt'] ?? '' },
    },
  );
  const name = fullName(row);
  const save = async () => {
    const { uuid: id, version } = row;
    if ((await write({ id, version, input: inputOf(row, stored, values) })).fault) return;
    onClose();
    showToast({ text: texts.saved(name) });
  };
  return (
    <FormDialog
      title={texts.title(name)}
      fault={fault}
      isPending={isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p>
        {texts.planned(describePlan(row, myShifts.tbd))}{' '}
        {!values.noShow && row.startsAt !== null && row.endsAt !== null && (
          <Button onClick={() => change(planOf(row, row.startsAt!, row.endsAt!))}>{texts.asPlanned}</Button>
        )}
      </p>
      {!values.noShow && (
        <>
          <DateField label={texts.day} {...field('day')} />
          <TimeField label={texts.came} {...field('came')} />
          <TimeField label={texts.left} {...field('left')} hint={texts.leftHint} />
          <NumberField label={texts.breakMinutes} {...field('breakMinutes')} />
          <CheckField label={texts.paidEarly} {...field('paidEarly')} />
        </>
      )}
      <CheckField label={texts.noShow} {...field('noShow')} />
      <LongTextField label={texts.note} isOptional {...field('note')} />
      {row.approvedAt && (
        <TextField label={texts.changeReason} hint={texts.changeReasonHint} {...field('changeReason')} />
      )}
    </FormDialog>
  );
}
