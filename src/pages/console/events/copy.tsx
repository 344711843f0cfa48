import { useState } from 'react';
import { useLocation } from 'wouter';
import { useWrite } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField, DateField, TextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import type { CalendarEvent } from './data.ts';
import { addDays, countDays, isDay } from './dates.ts';

const mutation = `mutation CopyEvent($idempotencyKey: String, $id: ID!, $input: CopyEventInput!) {
  copyEvent(idempotencyKey: $idempotencyKey, id: $id, input: $input) { event { uuid } }
}`;

/** Asks on which day the copy of an event is, and goes to the copy. */
export function CopyDialog({ event, onClose }: { event: CalendarEvent; onClose: () => void }) {
  const { events: texts } = useMessages();
  const [, navigate] = useLocation();
  const startDay = event.startTime.slice(0, 10);
  const [day, setDay] = useState(addDays(startDay, 7));
  const [withShifts, setWithShifts] = useState(false);
  const [reason, setReason] = useState('');
  const { write, fault, isPending } = useWrite<{ copyEvent: { event: { uuid: string } } }>(mutation);
  const clashes = (fault?.details['clashes'] as readonly unknown[] | undefined) ?? [];

  async function save() {
    const days = countDays(startDay, day);
    const input = { days, withShifts, ...(reason.trim() && { override: { reason: reason.trim() } }) };
    const { data } = await write({ id: event.uuid, input });
    if (!data) return;
    showToast({ text: texts.copying.done });
    navigate(`/events/${data.copyEvent.event.uuid}`);
  }

  return (
    <Dialog
      title={texts.copying.title(event.title)}
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form="copy" isBusy={isPending}>
          {texts.copying.save}
        </Button>
      }
    >
      <form
        id="copy"
        className="cs-form"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (isDay(day) && !isPending) void save();
        }}
      >
        <DateField
          label={texts.copying.day}
          hint={texts.copying.hint}
          value={day}
          onChange={setDay}
          error={isDay(day) ? null : texts.copying.noDay}
        />
        <CheckField label={texts.copying.withShifts} value={withShifts} onChange={setWithShifts} />
        {clashes.length > 0 && <TextField label={texts.copying.reason} value={reason} onChange={setReason} />}
        {fault && (
          <Notice look="bad">{clashes.length > 0 ? texts.copying.clash(clashes.length) : fault.message}</Notice>
        )}
      </form>
    </Dialog>
  );
}
