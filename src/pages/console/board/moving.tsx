import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useMessages } from '../messages/messages.ts';
import type { StaffedShift } from '../changes/actions.ts';
import { watchDrags, watchKeys, type Drop } from '../staffing/drag.ts';
import { focusFill, MoveDialog, toTarget, type Target } from '../staffing/move.tsx';
import type { BoardEvent } from './model.ts';
import { formatMoment } from '../../time/zones.ts';
import '../parts/parts.css';
import '../staffing/staffing.css';

interface MovingProps {
  /** What has the people and the places. */
  readonly root: RefObject<HTMLElement | null>;
  readonly events: readonly BoardEvent[];
}

/** Lets admins move and exchange people of all events on the board, by drag and by keyboard. */
export default function Moving({ root, events }: MovingProps) {
  const { board: texts } = useMessages();
  const [change, setChange] = useState<{ readonly shift: StaffedShift; readonly chosen: Target } | null>(null);
  const [said, setSaid] = useState('');
  const drop = useEffectEvent(({ shift: uuid, call: callUuid, other: otherUuid }: Drop) => {
    const shifts = events.flatMap(({ workShifts }) => workShifts);
    const shift = shifts.find((each) => each.uuid === uuid);
    for (const { title, timezone, callTimes } of events) {
      const call = callTimes.find((each) => each.uuid === callUuid);
      if (!shift || !call) continue;
      const label = texts.place(title, call.position.title, formatMoment(Date.parse(call.startsAt), timezone));
      setChange({ shift, chosen: toTarget(call, label, shifts, otherUuid) });
    }
  });
  useEffect(() => {
    if (!root.current) return;
    const ends = [
      watchDrags(root.current, drop),
      watchKeys(root.current, drop, (state, name) => setSaid(texts.carrying[state](name))),
    ];
    return () => ends.forEach((end) => end());
  }, [root, texts]);
  const close = () => setChange(null);
  return (
    <>
      <p className="app-hidden bd-moving" role="status">
        {said}
      </p>
      {change && (
        <MoveDialog
          shifts={[change.shift]}
          chosen={change.chosen}
          onDone={() => {
            close();
            focusFill(change.shift.callTime?.uuid);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
