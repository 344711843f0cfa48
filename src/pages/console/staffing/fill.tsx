import { useEffect, useRef, useState } from 'react';
import type { CallTime, Event } from '../model/events.ts';
import { useMessages } from '../messages/messages.ts';
import { AskDialog } from '../offers/ask.tsx';
import { Button } from '../parts/button.tsx';
import { assign } from '../changes/actions.ts';
import { Candidates, type Judged } from '../changes/candidates.tsx';
import { Change } from '../changes/change.tsx';

interface Props {
  readonly event: Event;
  readonly call: CallTime;
  readonly onClose: () => void;
}

/** Assigns one or several people to a call time, or asks them. */
export function Fill({ event, call, onClose }: Props) {
  const { staffing: texts, offers } = useMessages();
  const [isAsking, setIsAsking] = useState(false);
  const [picked, setPicked] = useState<readonly Judged[]>([]);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A dialog that has closed meanwhile gives the focus back before.
    const timer = setTimeout(() => root.current?.querySelector('input')?.focus());
    return () => clearTimeout(timer);
  }, []);
  const assigned = event.workShifts.filter(({ callTime }) => callTime?.uuid === call.uuid).length;
  const open = Math.max(0, call.staffNeeded - assigned);
  const toggle = (judged: Judged) =>
    setPicked((before) => {
      const others = before.filter(({ person }) => person.id !== judged.person.id);
      return others.length < before.length ? others : [...before, judged];
    });
  return (
    <div ref={root}>
      <Change
        action={texts.assign}
        steps={picked.map(({ person: { id, name } }) => ({
          key: id,
          name,
          run: ({ reason, isOverride }) => assign(call.uuid, id, isOverride ? reason : null),
        }))}
        describe={texts.assigned}
        against={[
          ...picked.flatMap(({ person, clashes }) => clashes.map((clash) => texts.refusedFor(person.name, clash))),
          ...(picked.length > open ? [texts.tooMany(open)] : []),
        ]}
        more={
          event.status === 'ACTIVE' &&
          picked.length > 0 && (
            <Button onClick={() => setIsAsking(true)}>
              {picked.length > 1 ? offers.askMany(picked.length) : offers.ask}
            </Button>
          )
        }
        onDone={(refused) => {
          setPicked((before) => before.filter(({ person }) => refused.includes(person.id)));
          if (refused.length === 0) onClose();
        }}
        onClose={onClose}
      >
        {(isTried) => (
          <Candidates
            call={call}
            picked={picked}
            onToggle={toggle}
            error={isTried && picked.length === 0 ? texts.choose : null}
          />
        )}
      </Change>
      {isAsking && (
        <AskDialog
          call={call}
          timezone={event.timezone}
          people={picked}
          onSent={onClose}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
