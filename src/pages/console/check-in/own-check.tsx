import { CheckInOwnDocument, CheckOutOwnDocument } from '../../../generated/pages/console/check-in.ts';
import { useRef, useState } from 'react';
import { useMinute } from '../../time/clock.ts';
import { formatMoment, formatTime } from '../../time/zones.ts';
import { useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { checkInSpan, type OwnShift } from '../own-shifts/shifts.ts';
import { Button } from '../parts/button.tsx';
import { returnFocus } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { showToast } from '../parts/toast.tsx';

/** How long before the check-in opens it is announced, and how long after its end it is said to be closed. */
const dayMs = 24 * 3_600_000;

/** Checks a person in and out of their own shift, with the code of the event. `scanned` is the printed one, from a link. */
export function OwnCheck({ shift, scanned = '' }: { shift: OwnShift; scanned?: string }) {
  const { checkIn: texts } = useMessages();
  const nowMs = useMinute();
  const ref = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(scanned !== '');
  const { uuid: id, attendance, event } = shift;
  const what = attendance?.checkedInAt ? 'checkOut' : 'checkIn';
  const [code, setCode] = useState(scanned);
  const { write, isPending, fault, forgetFault } = useWrite(
    what === 'checkIn' ? CheckInOwnDocument : CheckOutOwnDocument,
  );
  const { fromMs, toMs } = checkInSpan(shift);
  if (!attendance || event.status !== 'ACTIVE') return null;
  const { checkedInAt, checkedOutAt, noShow } = attendance;
  const time = (at: string) => formatTime(Date.parse(at), event.timezone);
  if (checkedInAt && checkedOutAt) return <p>{texts.wasThere(time(checkedInAt), time(checkedOutAt))}</p>;
  if (noShow) return <p>{texts.noShow}</p>;
  if (nowMs < fromMs)
    return fromMs - nowMs < dayMs && <p className="cs-hint">{texts.opens(formatMoment(fromMs, event.timezone))}</p>;
  if (nowMs > toMs) return nowMs - toMs < dayMs && <p className="cs-hint">{texts.closed}</p>;

  const send = async () => {
    if ((await write({ id, code: code.trim() })).fault) return;
    setIsOpen(false);
    setCode(scanned);
    // The form that had the focus is gone.
    returnFocus(ref.current?.closest('article')?.querySelector('h3') ?? null);
    showToast({ text: (what === 'checkIn' ? texts.came : texts.went)(event.title) });
  };
  const close = () => {
    setIsOpen(false);
    forgetFault();
  };
  return (
    <div className="ms-check" ref={ref}>
      {checkedInAt && <p className="ms-next">{texts.since(time(checkedInAt))}</p>}
      {isOpen ? (
        <Form fault={fault} isPending={isPending} action={texts[what]} onSubmit={() => void send()} onClose={close}>
          {(scanned === '' || fault) && (
            <TextField
              label={texts.code}
              hint={texts.codeHint}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={40}
              value={code}
              onChange={setCode}
              error={fault?.fields['code']}
            />
          )}
        </Form>
      ) : (
        <Button look="primary" aria-label={texts.actionOf(texts[what], event.title)} onClick={() => setIsOpen(true)}>
          {texts[what]}
        </Button>
      )}
    </div>
  );
}
