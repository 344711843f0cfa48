import { MoveTargetsDocument } from '../../../generated/pages/console/staffing.ts';
import { useState } from 'react';
import { useRead } from '../../application/data.ts';
import type { CallTime, Event, Shift } from '../model/events.ts';
import { formatClocks, formatWhen } from '../../time/when.ts';
import { useMessages } from '../messages/messages.ts';
import { Loaded } from '../parts/notice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { cancel, exchange, move, type StaffedShift } from '../changes/actions.ts';
import { Change } from '../changes/change.tsx';
import { fullName, listNames, type Step } from '../changes/steps.ts';

/** A place to go to, or somebody to exchange with. */
export type Target = { readonly call: string; readonly label: string } | { readonly other: StaffedShift };

/** Where a drop leads: onto the open place of a call time, or into the place of somebody where it is full. */
export function toTarget(
  { uuid, staffNeeded }: Pick<CallTime, 'uuid' | 'staffNeeded'>,
  label: string,
  shifts: readonly StaffedShift[],
  otherUuid: string | null,
): Target {
  const there = shifts.filter(({ callTime }) => callTime?.uuid === uuid);
  const other = there.find((shift) => shift.uuid === otherUuid);
  return other && there.length >= staffNeeded ? { other } : { call: uuid, label };
}

/** Moves the focus to what fills a call time, once it is on display: a place that was emptied is offered at once. */
export function focusFill(call: string | undefined): void {
  setTimeout(() => document.querySelector<HTMLElement>(`[data-fill="${call}"]`)?.focus());
}

interface DialogProps {
  readonly shifts: readonly StaffedShift[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface MoveProps extends DialogProps {
  /** Where the people are, to choose from its places; not needed for what is chosen already, as by dragging. */
  readonly event?: Event;
  readonly chosen: Target | null;
}

/** Moves people to another call time of any event, or exchanges two. */
export function MoveDialog({ event, shifts, chosen, onDone, onClose }: MoveProps) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const [target, setTarget] = useState<Target | null>(chosen);
  const other = target && 'other' in target ? target.other : null;
  const names = listNames([...shifts, ...(chosen && other ? [other] : [])].map(fullName), messages);
  const title = !chosen
    ? texts.moveTitle(names)
    : other
      ? texts.exchangeTitle(names)
      : texts.moveTo(names, toLabel(chosen));
  return (
    <Change
      title={title}
      action={other ? texts.exchange : texts.moveNow}
      steps={toSteps(target, shifts, names, texts.pair)}
      describe={target && 'call' in target ? texts.moved(target.label) : texts.exchanged}
      isReasonAsked
      onDone={(refused) => refused.length === 0 && onDone()}
      onClose={onClose}
    >
      {(isTried) =>
        !chosen &&
        event && (
          <>
            <Places event={event} shifts={shifts} target={target} onSelect={setTarget} />
            {isTried && !target && (
              <p className="cs-error" role="alert">
                {texts.chooseTarget}
              </p>
            )}
          </>
        )
      }
    </Change>
  );
}

const toLabel = (target: Target) => ('call' in target ? target.label : fullName(target.other));

function toSteps(
  target: Target | null,
  shifts: readonly StaffedShift[],
  names: string,
  describePair: (one: string, other: string) => string,
): readonly Step[] {
  if (!target) return [];
  if ('call' in target) {
    const moved = shifts.filter(({ callTime }) => callTime?.uuid !== target.call);
    return [{ key: target.call, name: names, run: (why) => move(moved, target.call, why) }];
  }
  const [shift] = shifts;
  const { other } = target;
  if (!shift) return [];
  return [
    {
      key: other.uuid,
      name: describePair(fullName(shift), fullName(other)),
      run: (why) => exchange(shift, other, why),
    },
  ];
}

interface PlacesProps {
  readonly event: Event;
  readonly shifts: readonly StaffedShift[];
  readonly target: Target | null;
  readonly onSelect: (target: Target) => void;
}

function Places({ event, shifts, target, onSelect }: PlacesProps) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const [text, setText] = useState('');
  const read = useRead(MoveTargetsDocument, { from: event.startTime.slice(0, 10), text: text || null });
  const day = event.startTime.slice(0, 10);
  const isOn = (call: string, shift: StaffedShift) => shift.callTime?.uuid === call;
  const here = event.callTimes.filter(({ uuid }) => shifts.some((shift) => !isOn(uuid, shift)));
  const others = shifts.length === 1 ? event.workShifts.filter((other) => mayExchange(shifts[0]!, other, event)) : [];
  const renderCall = (call: string, label: string, open: number) => (
    <Choice
      key={call}
      label={label}
      detail={texts.open(open)}
      isSelected={target !== null && 'call' in target && target.call === call}
      onSelect={() => onSelect({ call, label })}
    />
  );
  return (
    <div className="st-people">
      {here.length > 0 && (
        <fieldset>
          <legend>{texts.moveHere}</legend>
          {here.map((call) => {
            const assigned = event.workShifts.filter((shift) => isOn(call.uuid, shift)).length;
            const label = texts.target(call.position.title, formatClocks(call, day, messages));
            return renderCall(call.uuid, label, call.staffNeeded - assigned);
          })}
        </fieldset>
      )}
      {others.length > 0 && (
        <fieldset>
          <legend>{texts.exchangeWith}</legend>
          {others.map((other) => (
            <Choice
              key={other.uuid}
              label={fullName(other)}
              detail={texts.target(other.position.title, formatClocks(other, day, messages))}
              isSelected={target !== null && 'other' in target && target.other.uuid === other.uuid}
              onSelect={() => onSelect({ other })}
            />
          ))}
        </fieldset>
      )}
      <fieldset>
        <legend>{texts.moveElsewhere}</legend>
        <SearchField label={texts.searchEvents} value={text} onSearch={setText} />
        <Loaded read={read}>
          {({ events }) =>
            events.nodes
              .filter(({ uuid }) => uuid !== event.uuid)
              .flatMap(({ title, callTimes }) =>
                callTimes.map((call) =>
                  renderCall(
                    call.uuid,
                    texts.target(`${title}: ${call.position.title}`, formatWhen(call, messages)),
                    call.coverage?.open ?? 0,
                  ),
                ),
              )
          }
        </Loaded>
      </fieldset>
    </div>
  );
}

/** Others at the same call time have the same place, and nobody exchanges with oneself. */
function mayExchange(shift: StaffedShift, other: Shift, { workShifts }: Event): boolean {
  const person = workShifts.find(({ uuid }) => uuid === shift.uuid)?.user?.id;
  return other.callTime?.uuid !== shift.callTime?.uuid && other.user?.id !== person;
}

interface ChoiceProps {
  readonly label: string;
  readonly detail: string;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

const Choice = ({ label, detail, isSelected, onSelect }: ChoiceProps) => (
  <div className="st-choice">
    <label>
      <input type="radio" name="target" checked={isSelected} onChange={onSelect} />
      <span>
        {label} <small>{detail}</small>
      </span>
    </label>
  </div>
);

/** Calls people off, with a reason if one is given. */
export function CallOffDialog({ shifts, onDone, onClose }: DialogProps) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const [rest, setRest] = useState(shifts);
  return (
    <Change
      title={texts.callOffTitle(listNames(shifts.map(fullName), messages))}
      action={texts.callOffNow}
      look="danger"
      steps={rest.map((shift) => ({
        key: shift.uuid,
        name: fullName(shift),
        run: ({ reason }) => cancel(shift, reason),
      }))}
      describe={texts.wasCalledOff}
      isReasonAsked
      onDone={(refused) => {
        if (refused.length === 0) onDone();
        else setRest(rest.filter(({ uuid }) => refused.includes(uuid)));
      }}
      onClose={onClose}
    >
      {() => <p>{texts.callOffLead}</p>}
    </Change>
  );
}
