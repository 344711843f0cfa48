import { MyShiftsToComeDocument } from '../../../generated/pages/console/my-shifts.ts';
import { useState } from 'react';
import { useRead } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { ShiftCard } from '../own-shifts/card.tsx';
import '../own-shifts/own-shifts.css';
import { hasEnded, isCalledOff } from '../own-shifts/shifts.ts';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { OwnCheck } from './own-check.tsx';

/** Shifts that began so long before are still among those of the day. */
const longestMs = 24 * 3_600_000;

/** Opened by the printed code of an event. Event and code are in the fragment of the address, which no server gets. */
export default function CheckInPage() {
  const { checkIn: texts } = useMessages();
  const [nowMs] = useState(() => Date.now());
  const [[event = '', code = '']] = useState(() => decodeURIComponent(location.hash.slice(1)).split('.'));
  const at = new Date(nowMs - longestMs).toISOString();
  const read = useRead(event === '' ? null : MyShiftsToComeDocument, { at, cursor: null });
  const toShifts = <LinkButton href="/my-shifts">{texts.toShifts}</LinkButton>;
  return (
    <Page title={texts.title}>
      {event === '' ? (
        <Empty title={texts.noCode} action={toShifts} />
      ) : (
        <Loaded read={read}>
          {({ page: { nodes } }) => {
            const shifts = nodes.filter(
              (shift) => shift.event.uuid === event.toLowerCase() && !isCalledOff(shift) && !hasEnded(shift, nowMs),
            );
            return (
              <div className="ms-page ms-month">
                {shifts.length > 0 && <h2>{texts.yours}</h2>}
                {shifts.map((shift) => (
                  <ShiftCard key={shift.uuid} shift={shift} actions={<OwnCheck shift={shift} scanned={code} />} />
                ))}
                {shifts.length === 0 && (
                  <Empty title={texts.none} action={toShifts}>
                    {texts.noneLead}
                  </Empty>
                )}
              </div>
            );
          }}
        </Loaded>
      )}
    </Page>
  );
}
