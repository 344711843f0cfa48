import { StaffingConflictsDocument } from '../../../generated/pages/console/staffing.ts';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { fetchWhenIdle } from '../../application/lazily.tsx';
import { useMinute } from '../../time/clock.ts';
import { isWaiting, presenceOf } from '../../time/presence.ts';
import { useRead } from '../../application/data.ts';
import type { CallTime, Event, Shift } from '../model/events.ts';
import { formatClocks, formatDay } from '../../time/when.ts';
import { useMessages } from '../messages/messages.ts';
import { Button, type ButtonProps } from '../parts/button.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Empty, Notice } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { toggled } from '../parts/toggled.ts';
import { AskedPeople, useAsked } from '../offers/asked.tsx';
import { SwapRequest, useSwapsOf } from '../swaps/asked.tsx';
import type { Swap } from '../swaps/data.ts';
import { PhoneLink } from '../parts/phone.tsx';
import { check, keep, setConfirmed as confirm, type ActionOutcome } from '../changes/actions.ts';
import { SinceAway } from './away.tsx';
import type { Drop } from './drag.ts';
import { Fill } from './fill.tsx';
import { CallOffDialog, focusFill, MoveDialog, toTarget, type Target } from './move.tsx';
import { describeRefused, fullName, takeSteps } from '../changes/steps.ts';
import './staffing.css';

const loadDrags = () => import('./drag.ts');
fetchWhenIdle(loadDrags);

type Open =
  | { readonly kind: 'fill'; readonly call: string }
  | { readonly kind: 'move'; readonly shifts: readonly Shift[]; readonly chosen: Target | null }
  | { readonly kind: 'callOff'; readonly shifts: readonly Shift[] };

/** What stands against a shift, by its uuid: another shift at the time, or a rule in words. */
type Clashing = ReadonlyMap<string, readonly Against[]>;

interface Against {
  readonly title: string;
  readonly minutes: number | null;
  readonly text: string | null;
}

function useConflicts({ callTimes }: Event): Clashing {
  const from = callTimes.map(({ startsAt }) => startsAt).sort()[0];
  const to = callTimes
    .map(({ endsAt }) => endsAt)
    .sort()
    .at(-1);
  const { data } = useRead(from && to ? StaffingConflictsDocument : null, { from, to });
  const found = new Map<string, Against[]>();
  for (const { first, second, minutes, text } of data?.conflicts.nodes ?? [])
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const)
      if (one)
        found.set(one.uuid, [...(found.get(one.uuid) ?? []), { title: other?.event?.title ?? '', minutes, text }]);
  return found;
}

interface PanelProps {
  readonly event: Event;
  /** UUID of the call time or shift to show, on the board; null: all. */
  readonly item?: string | null;
  /** Gets the call time that has a place more than before. */
  readonly onEmptied?: (call: string) => void;
}

/** The people of an event by call time, and all that an admin does with them. */
export function StaffingPanel({ event, item, onEmptied = focusFill }: PanelProps) {
  const messages = useMessages();
  const { staffing: texts, offers } = messages;
  const { staffing: shared } = messages.event;
  const clashing = useConflicts(event);
  const { asked, note } = useAsked(event);
  const swaps = useSwapsOf(event);
  const [open, setOpen] = useState<Open | null>(() => toFill(event, item));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setIsBusy] = useState(false);
  const mayChange = event.status === 'ACTIVE' || event.status === 'DRAFT';
  const chosen = event.workShifts.filter(({ uuid }) => selected.has(uuid));
  const clear = () => setSelected(new Set());
  const close = () => setOpen(null);

  async function take(
    shifts: readonly Shift[],
    run: (shift: Shift) => Promise<ActionOutcome>,
    describe: (names: string) => string,
  ) {
    const steps = shifts.map((shift) => ({ key: shift.uuid, name: fullName(shift), run: () => run(shift) }));
    setIsBusy(true);
    const refused = await takeSteps(steps, describe, messages);
    setIsBusy(false);
    if (refused.length > 0) showToast({ text: describeRefused(refused, messages).faults.join(' ') });
    else clear();
  }
  const setConfirmed = (shifts: readonly Shift[], isConfirmed: boolean) =>
    void take(
      shifts.filter(({ confirmed }) => confirmed !== isConfirmed),
      (shift) => confirm(shift, isConfirmed),
      isConfirmed ? texts.confirmed : texts.unconfirmed,
    );

  /** The place that was emptied is offered at once. */
  const finish = (shifts: readonly Shift[]) => {
    close();
    clear();
    const call = shifts[0]?.callTime?.uuid;
    if (call) onEmptied(call);
  };

  const drop = ({ shift: uuid, call, other: otherUuid }: Drop) => {
    const shift = event.workShifts.find((each) => each.uuid === uuid);
    const to = event.callTimes.find((each) => each.uuid === call);
    if (!shift || !to) return;
    // One of several who are selected takes the others along.
    const shifts = selected.has(uuid) ? chosen : [shift];
    const label = texts.target(to.position.title, formatClocks(to, event.startTime.slice(0, 10), messages));
    const target = toTarget(to, label, event.workShifts, shifts.length === 1 ? otherUuid : null);
    setOpen({ kind: 'move', shifts, chosen: target });
  };

  const root = useRef<HTMLDivElement>(null);
  const onDrop = useEffectEvent(drop);
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isOver = !mayChange;
    const watch = async () => {
      const { watchDrags } = await loadDrags();
      if (!isOver && root.current) stop = watchDrags(root.current, onDrop);
    };
    // What moves people is loaded once somebody is about to.
    const options = { once: true } as const;
    const start = () => void watch().catch(() => undefined);
    const panel = root.current;
    if (mayChange) panel?.addEventListener('pointermove', start, options);
    return () => {
      isOver = true;
      panel?.removeEventListener('pointermove', start);
      stop?.();
    };
  }, [mayChange]);

  const actions: Actions = {
    isBusy,
    selected,
    setConfirmed,
    check:
      event.status === 'ACTIVE'
        ? (what, shift) =>
            void take(
              [shift],
              ({ uuid, attendance }) => check(what, { uuid, version: attendance?.version ?? 0 }),
              texts.checked[what],
            )
        : null,
    keep: (shift) => void take([shift], keep, offers.held),
    toggle: ({ uuid }) => setSelected((before) => toggled(before, uuid)),
    move: (shifts, target = null) => setOpen({ kind: 'move', shifts, chosen: target }),
    callOff: (shifts) => setOpen({ kind: 'callOff', shifts }),
  };

  const isShown = (uuid: string, shifts: readonly Shift[]) =>
    (item ?? null) === null || uuid === item || shifts.some((shift) => shift.uuid === item);
  const groups = event.callTimes
    .map((call) => ({ call, shifts: event.workShifts.filter(({ callTime }) => callTime?.uuid === call.uuid) }))
    .filter(({ call, shifts }) => isShown(call.uuid, shifts));
  const loose = event.workShifts.filter(({ callTime }) => !event.callTimes.some(({ uuid }) => uuid === callTime?.uuid));
  const isLooseShown = loose.length > 0 && isShown('', loose);
  if (event.callTimes.length === 0 && loose.length === 0)
    return (
      <Empty
        title={shared.empty}
        action={
          <LinkButton isPrimary href={`/events/${event.uuid}?tab=calls`}>
            {shared.addCalls}
          </LinkButton>
        }
      >
        {shared.emptyLead}
      </Empty>
    );
  const list = (shifts: readonly Shift[], call: CallTime | null) => (
    <ul>
      {shifts.map((shift) => (
        <PersonRow
          key={shift.uuid}
          shift={shift}
          call={call}
          clashes={clashing.get(shift.uuid) ?? []}
          isChosen={shift.uuid === item}
          swap={swaps.get(shift.uuid)}
          actions={mayChange ? actions : null}
        />
      ))}
    </ul>
  );
  return (
    <>
      {!mayChange && <Notice>{texts.over}</Notice>}
      {item === undefined && <SinceAway event={event.uuid} />}
      {groups.length === 0 && !isLooseShown && <Notice look="bad">{texts.isGone}</Notice>}
      <div className="st-calls" ref={root}>
        {groups.map(({ call, shifts }) => (
          <CallSection
            key={call.uuid}
            call={call}
            event={event}
            isFilling={open?.kind === 'fill' && open.call === call.uuid}
            onFill={mayChange ? (isOpen) => setOpen(isOpen ? { kind: 'fill', call: call.uuid } : null) : null}
            asked={
              <AskedPeople
                call={call}
                timezone={event.timezone}
                isFull={shifts.length >= call.staffNeeded}
                asked={asked.filter(({ callTimeUuid }) => callTimeUuid === call.uuid)}
              />
            }
          >
            {list(shifts, call)}
          </CallSection>
        ))}
        {isLooseShown && (
          <section aria-label={shared.withoutCall}>
            <h2>{shared.withoutCall}</h2>
            {list(loose, null)}
          </section>
        )}
      </div>
      {note}
      {chosen.length > 0 && (
        <div className="st-bar" role="group" aria-label={texts.selected(chosen.length)}>
          <strong>{texts.selected(chosen.length)}</strong>
          <Button isBusy={isBusy} onClick={() => setConfirmed(chosen, true)}>
            {texts.confirm}
          </Button>
          <Button onClick={() => actions.move(chosen)}>{texts.move}</Button>
          {chosen.length === 2 && chosen[1] && (
            <Button onClick={() => actions.move([chosen[0]!], { other: chosen[1]! })}>{texts.exchange}</Button>
          )}
          <Button onClick={() => actions.callOff(chosen)}>{texts.callOff}</Button>
          <Button look="quiet" onClick={clear}>
            {texts.clear}
          </Button>
        </div>
      )}
      {open?.kind === 'move' && (
        <MoveDialog event={event} {...open} onDone={() => finish(open.shifts)} onClose={close} />
      )}
      {open?.kind === 'callOff' && (
        <CallOffDialog shifts={open.shifts} onDone={() => finish(open.shifts)} onClose={close} />
      )}
    </>
  );
}

/** What is opened for a gap is there to fill it. */
function toFill({ callTimes, workShifts, status }: Event, item: string | null | undefined): Open | null {
  const call = callTimes.find(({ uuid }) => uuid === item);
  const isOpen = call && workShifts.filter(({ callTime }) => callTime?.uuid === call.uuid).length < call.staffNeeded;
  return isOpen && status !== 'CANCELED' ? { kind: 'fill', call: call.uuid } : null;
}

interface CallSectionProps {
  readonly call: CallTime;
  readonly event: Event;
  readonly isFilling: boolean;
  /** Null where nothing may be changed. */
  readonly onFill: ((isOpen: boolean) => void) | null;
  /** Who was asked. */
  readonly asked?: ReactNode;
  readonly children: ReactNode;
}

export function CallSection({ call, event, isFilling, onFill, asked, children }: CallSectionProps) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const { staffing: shared } = messages.event;
  const day = event.startTime.slice(0, 10);
  const clocks = formatClocks(call, call.startTime.slice(0, 10), messages);
  const assigned = event.workShifts.filter(({ callTime }) => callTime?.uuid === call.uuid).length;
  const open = call.staffNeeded - assigned;
  const note = [call.dressCode, call.notesForStaff].filter(Boolean).join(' · ');
  const gone = event.gone?.nodes.filter(({ callTime }) => callTime?.uuid === call.uuid) ?? [];
  return (
    <section role="group" aria-label={`${call.position.title}, ${clocks}`} data-call={call.uuid}>
      <div className="st-head">
        <div>
          <h2>
            {call.position.title}
            {call.skillLevel && <small> · {call.skillLevel.name}</small>}
          </h2>
          <p className="ev-hint">
            {call.startTime.slice(0, 10) !== day && `${formatDay(call.startTime, messages)}, `}
            {clocks}
            {/* Staff see no others, so that a count would be untrue. */}
            {event.coverage !== null && ` · ${shared.filled(assigned, call.staffNeeded)}`}
            {event.coverage !== null && open < 0 && ` · ${shared.over(-open)}`}
          </p>
        </div>
        {onFill && (
          <Button
            look={open > 0 && !isFilling ? 'primary' : 'plain'}
            aria-expanded={isFilling}
            data-fill={call.uuid}
            aria-label={`${open > 0 ? texts.fill(open) : texts.add}: ${call.position.title}`}
            onClick={() => onFill(!isFilling)}
          >
            {open > 0 ? texts.fill(open) : texts.add}
          </Button>
        )}
      </div>
      {assigned === 0 ? <p className="ev-hint">{texts.nobody}</p> : children}
      {isFilling && onFill && (
        <Fill
          event={event}
          call={call}
          onClose={() => {
            onFill(false);
            focusFill(call.uuid);
          }}
        />
      )}
      {asked}
      {gone.length > 0 && (
        <details>
          <summary>{texts.gone(gone.length)}</summary>
          <ul>
            {gone.map((shift) => (
              <li key={shift.uuid}>
                <bdi>{fullName(shift)}</bdi> · {shift.declinedAt ? texts.declined : texts.calledOff}
                {shift.cancelReason && `: “${shift.cancelReason}”`}
              </li>
            ))}
          </ul>
        </details>
      )}
      {note && <p className="ev-note">{note}</p>}
    </section>
  );
}

interface Actions {
  readonly isBusy: boolean;
  readonly selected: ReadonlySet<string>;
  readonly toggle: (shift: Shift) => void;
  readonly setConfirmed: (shifts: readonly Shift[], isConfirmed: boolean) => void;
  /** Null where nobody comes. */
  readonly check: ((what: 'checkIn' | 'checkOut', shift: Shift) => void) | null;
  readonly keep: (shift: Shift) => void;
  readonly move: (shifts: readonly Shift[], target?: Target | null) => void;
  readonly callOff: (shifts: readonly Shift[]) => void;
}

interface PersonRowProps {
  readonly shift: Shift;
  readonly call: CallTime | null;
  readonly clashes: readonly Against[];
  readonly isChosen: boolean;
  /** What its person asks for. */
  readonly swap?: Swap | undefined;
  /** Null where nothing may be changed. */
  readonly actions: Actions | null;
}

/** People are checked in from hours before the start until two days after it; later, their times are set. */
const [earlyMs, latestMs] = [4 * 3_600_000, 48 * 3_600_000];

function nextCheck({ attendance }: Shift, startsAt: string | null, nowMs: number): 'checkIn' | 'checkOut' | null {
  const sinceMs = startsAt === null ? 0 : nowMs - Date.parse(startsAt);
  if (!attendance || attendance.noShow || attendance.checkedOutAt || sinceMs < -earlyMs || sinceMs > latestMs)
    return null;
  return attendance.checkedInAt ? 'checkOut' : 'checkIn';
}

export function PersonRow({ shift, call, clashes, isChosen, swap, actions }: PersonRowProps) {
  const messages = useMessages();
  const { staffing: texts, offers } = messages;
  const { staffing: shared } = messages.event;
  const name = fullName(shift);
  const isOwnTime = call?.startTime !== shift.startTime || call?.endTime !== shift.endTime;
  const nowMs = useMinute();
  const presence = presenceOf(shift.attendance, nowMs);
  const next = actions?.check ? nextCheck(shift, shift.startsAt ?? call?.startsAt ?? null, nowMs) : null;
  const isBusy = actions?.isBusy ?? false;
  const button = (text: string, onClick: () => void, more: Omit<ButtonProps, 'onClick'> = {}) => (
    <Button look="quiet" aria-label={texts.actions(text, name)} onClick={onClick} {...more}>
      {text}
    </Button>
  );
  return (
    <li className={`st-person${isChosen ? ' st-chosen' : ''}`} data-shift={shift.uuid}>
      {actions && (
        <input
          type="checkbox"
          aria-label={texts.select(name)}
          checked={actions.selected.has(shift.uuid)}
          onChange={() => actions.toggle(shift)}
        />
      )}
      <div className="st-who">
        <span>
          <bdi>{name}</bdi>
          {call === null && ` · ${shift.position.title}`}
          {isOwnTime && <small> {formatClocks(shift, (call ?? shift).startTime?.slice(0, 10) ?? '', messages)}</small>}
        </span>
        {shift.confirmed && <span className="ev-yes">{shared.confirmed}</span>}
        {isWaiting(shift) && <span className="ev-waiting">{shared.waiting}</span>}
        {presence && <strong>{messages.board.presence[presence]}</strong>}
        {shift.user?.phone && <PhoneLink name={name} phone={shift.user.phone} />}
        {clashes.map(({ title, minutes, text }) => (
          <small key={`${title} ${text}`} className="st-clash">
            {text ?? texts.clash(title, minutes)}
          </small>
        ))}
        {shift.dropRequestedAt && <small className="st-clash">{offers.wantsDrop}</small>}
        {shift.overrideReason && <small>{texts.override(shift.overrideReason)}</small>}
        {swap && <SwapRequest swap={swap} mayChange={actions !== null} />}
      </div>
      {actions && (
        <div className="st-acts">
          {next && button(texts[next], () => actions.check?.(next, shift), { look: 'plain', isBusy })}
          {shift.dropRequestedAt && button(offers.keepShift, () => actions.keep(shift), { isBusy })}
          {button(
            shift.confirmed ? texts.unconfirm : texts.confirm,
            () => actions.setConfirmed([shift], !shift.confirmed),
            { isBusy },
          )}
          {button(texts.move, () => actions.move([shift]))}
          {button(texts.callOff, () => actions.callOff([shift]))}
        </div>
      )}
    </li>
  );
}
