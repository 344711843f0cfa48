import { CopyEventDocument } from '../../../generated/pages/console/event.ts';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useMessages } from '../messages/messages.ts';
import { useWrite } from '../../application/data.ts';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { CheckField, DateField, LongTextField, TextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { addDays, countDays, isDay } from '../../time/dates.ts';
import { type Event } from '../model/events.ts';
import { formatDay } from '../../time/when.ts';

const mostCopies = 20;

interface Props {
  readonly event: Pick<Event, 'uuid' | 'title' | 'startTime'>;
  readonly onClose: () => void;
}

/** Copies an event to one date or several, and goes to the copy if there is one. */
export function CopyDialog({ event, onClose }: Props) {
  const messages = useMessages();
  const { copy, move } = messages.event;
  const day = event.startTime.slice(0, 10);
  const [title, setTitle] = useState(event.title);
  const [days, setDays] = useState<readonly string[]>([addDays(day, 7)]);
  const [withPeople, setWithPeople] = useState(false);
  const [reason, setReason] = useState('');
  const [faults, setFaults] = useState<readonly string[]>([]);
  const { write, isPending, fault } = useWrite(CopyEventDocument);
  const list = useRef<HTMLDivElement>(null);
  const [, navigate] = useLocation();
  const last = days.at(-1) ?? day;

  async function submit() {
    const wanted = [...new Set(days.filter(isDay))];
    const [left, failed, made]: [string[], string[], string[]] = [[], [], []];
    const override = reason.trim() !== '' && { override: { reason: reason.trim() } };
    for (const to of wanted) {
      const input = {
        days: countDays(day, to),
        title: title.trim() || event.title,
        withShifts: withPeople,
        ...override,
      };
      const { data, fault: refused } = await write({ id: event.uuid, input });
      if (data) {
        made.push(data.copyEvent.event.uuid);
        continue;
      }
      left.push(to);
      failed.push(copy.failed(formatDay(to, messages), refused.code === 'CLASH' ? copy.clash : refused.message));
    }
    if (made.length > 0) showToast({ text: copy.done(made.length) });
    if (left.length > 0 || made.length === 0) {
      setDays(left.length > 0 ? left : days);
      return setFaults(failed);
    }
    onClose();
    if (made.length === 1) navigate(`/events/${made[0]}`);
  }

  return (
    <FormDialog
      title={copy.title(event.title)}
      action={copy.confirm(days.length)}
      isPending={isPending}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{copy.lead}</p>
      <div ref={list} className="ev-dates" role="group" aria-label={copy.dates}>
        {days.map((each, index) => (
          <div key={index}>
            <DateField
              label={copy.date(index + 1)}
              value={each}
              onChange={(to) => setDays(days.with(index, to))}
              error={isDay(each) ? null : messages.event.faults.day}
            />
            {days.length > 1 && (
              <Button
                look="quiet"
                aria-label={copy.remove(index + 1)}
                onClick={() => {
                  setDays(days.toSpliced(index, 1));
                  list.current?.querySelector('input')?.focus();
                }}
              >
                ✕
              </Button>
            )}
          </div>
        ))}
        {days.length < mostCopies && (
          <Button onClick={() => setDays([...days, isDay(last) ? addDays(last, 7) : last])}>{copy.weekly}</Button>
        )}
      </div>
      <TextField label={copy.name} value={title} onChange={setTitle} />
      <CheckField label={copy.people} value={withPeople} onChange={setWithPeople} />
      {faults.length > 0 && (
        <Notice look="bad">
          <ul>
            {faults.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      {fault?.code === 'CLASH' && <LongTextField label={move.reason} value={reason} onChange={setReason} />}
    </FormDialog>
  );
}
