import { useEffect, useState } from 'react';
import { exchange, move } from '../../board/actions.ts';
import { useRead } from '../data.ts';
import type { CallTime, Event, Shift } from '../event/documents.ts';
import { formatClocks, formatWhen } from '../event/when.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Against, isLiftable } from './against.tsx';
import { fullName, keepRefused, takeSteps, type RefusedStep } from './steps.ts';

type TargetCall = Pick<CallTime, 'uuid' | 'startTime' | 'startTimeTbd' | 'endTime' | 'endTimeTbd' | 'position'> & {
  readonly coverage: { readonly open: number } | null;
};

interface OtherEvents {
  readonly events: {
    readonly nodes: readonly {
      readonly uuid: string;
      readonly title: string;
      readonly callTimes: readonly TargetCall[];
    }[];
  };
}

const otherEventsDocument = `query MoveTargets($from: LocalDate!, $text: String) {
  events(filter: { statuses: [ACTIVE, DRAFT], dateFrom: $from, text: $text }, sort: { by: START, order: ASC }, first: 8) {
    nodes { uuid title callTimes { uuid startTime startTimeTbd endTime endTimeTbd position { id title } coverage { open } } }
  }
}`;

/** A place to go to, or somebody to exchange with. */
export type Target = { readonly call: string; readonly label: string } | { readonly other: Shift };

interface Props {
  readonly event: Event;
  readonly shifts: readonly Shift[];
  readonly names: string;
  /** Chosen already, as by dragging. */
  readonly chosen: Target | null;
  /** What the service said to that already. */
  readonly refusals?: readonly RefusedStep[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Moves people to another call time of any event, or exchanges two. */
export function MoveDialog({ event, shifts, names, chosen, refusals = [], onDone, onClose }: Props) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const [target, setTarget] = useState<Target | null>(chosen);
  const [refused, setRefused] = useState(refusals);
  const [reason, setReason] = useState('');
  const [rest, setRest] = useState(shifts);
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const isLifted = refused.some(isLiftable);
  const choose = (next: Target) => {
    setTarget(next);
    setRefused([]);
  };

  async function submit() {
    setIsTried(true);
    if (!target || (isLifted && reason.trim() === '')) return;
    setIsBusy(true);
    const why = isLifted ? reason.trim() : null;
    const left = await changePlaces(target, rest, why, messages);
    setIsBusy(false);
    setRefused(left);
    setRest(keepRefused(rest, left));
    setIsTried(false);
    if (left.length === 0) onDone();
  }

  const day = event.startTime.slice(0, 10);
  const single = shifts.length === 1 ? shifts[0] : undefined;
  const here = event.callTimes.filter(({ uuid }) => shifts.some(({ callTime }) => callTime?.uuid !== uuid));
  const others = single
    ? event.workShifts.filter(
        ({ callTime, user }) => callTime?.uuid !== single.callTime?.uuid && user?.id !== single.user?.id,
      )
    : [];
  const isSelected = (key: string) => target !== null && ('call' in target ? target.call : target.other.uuid) === key;
  return (
    <Dialog
      title={texts.moveTitle(names)}
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form="move" isBusy={isBusy}>
          {isLifted ? texts.moveAnyway : target && 'other' in target ? texts.exchangeNow : texts.moveNow}
        </Button>
      }
    >
      <form
        id="move"
        className="cs-form st-form"
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (!isBusy) void submit();
        }}
      >
        <div className="st-people">
          {here.length > 0 && (
            <fieldset>
              <legend>{texts.moveHere}</legend>
              {here.map((call) => {
                const label = texts.target(call.position.title, formatClocks(call, day, messages));
                const assigned = event.workShifts.filter(({ callTime }) => callTime?.uuid === call.uuid).length;
                return (
                  <Choice
                    key={call.uuid}
                    label={label}
                    detail={texts.open(call.staffNeeded - assigned)}
                    isSelected={isSelected(call.uuid)}
                    onSelect={() => choose({ call: call.uuid, label })}
                  />
                );
              })}
            </fieldset>
          )}
          {others.length > 0 && (
            <fieldset>
              <legend>{texts.exchangeWith}</legend>
              {others.map((other) => {
                const call = event.callTimes.find(({ uuid }) => uuid === other.callTime?.uuid);
                return (
                  <Choice
                    key={other.uuid}
                    label={fullName(other)}
                    detail={texts.target(other.position.title, formatClocks(call ?? other, day, messages))}
                    isSelected={isSelected(other.uuid)}
                    onSelect={() => choose({ other })}
                  />
                );
              })}
            </fieldset>
          )}
          <Elsewhere event={event} isSelected={isSelected} onSelect={choose} />
        </div>
        {isTried && !target && (
          <p className="cs-error" role="alert">
            {texts.chooseTarget}
          </p>
        )}
        <Against items={[]} refused={refused} reason={reason} isMissing={isTried} onChange={setReason} />
      </form>
    </Dialog>
  );
}

/** Moves or exchanges, and returns what was refused. */
export function changePlaces(target: Target, shifts: readonly Shift[], reason: string | null, messages: Messages) {
  const { staffing: texts } = messages;
  if ('other' in target) {
    const [shift] = shifts;
    const { other } = target;
    if (!shift) return Promise.resolve([]);
    const name = texts.pair(fullName(shift), fullName(other));
    return takeSteps([{ name, run: () => exchange(shift, other, reason) }], texts.exchanged, messages);
  }
  const steps = shifts
    .filter(({ callTime }) => callTime?.uuid !== target.call)
    .map((shift) => {
      const from = shift.callTime?.uuid ?? null;
      const name = fullName(shift);
      return { name, run: () => move({ shift, name, from, to: target.call, reason }) };
    });
  return takeSteps(steps, texts.moved(target.label), messages);
}

interface ElsewhereProps {
  readonly event: Event;
  readonly isSelected: (key: string) => boolean;
  readonly onSelect: (target: Target) => void;
}

function Elsewhere({ event, isSelected, onSelect }: ElsewhereProps) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  const read = useRead<OtherEvents>(otherEventsDocument, { from: event.startTime.slice(0, 10), text: text || null });
  return (
    <fieldset>
      <legend>{texts.moveElsewhere}</legend>
      <TextField label={texts.searchEvents} type="search" maxLength={200} value={typed} onChange={setTyped} />
      <Loaded read={read}>
        {({ events }) =>
          events.nodes
            .filter(({ uuid }) => uuid !== event.uuid)
            .flatMap(({ title, callTimes }) =>
              callTimes.map((call) => {
                const label = texts.target(`${title}: ${call.position.title}`, formatWhen(call, messages));
                return (
                  <Choice
                    key={call.uuid}
                    label={label}
                    detail={texts.open(call.coverage?.open ?? 0)}
                    isSelected={isSelected(call.uuid)}
                    onSelect={() => onSelect({ call: call.uuid, label })}
                  />
                );
              }),
            )
        }
      </Loaded>
    </fieldset>
  );
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
