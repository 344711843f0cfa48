import type { ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';
import { openPanel } from './address.ts';
import { useMinute } from '../../time/clock.ts';
import { listGaps } from './lanes.ts';
import { type Audience, fullName, type Conflict } from './model.ts';
import { isWaiting, presenceOf } from '../../time/presence.ts';
import { countPending, listPending, type EventView } from './view.ts';
import { formatMinutes, formatMoment, formatUntil } from '../../time/zones.ts';

/** Longer lists are cut, and say so. */
const mostRows = 12;
const soonMs = 6 * 3_600_000;

interface SideProps {
  /** The events of which the lists speak. */
  readonly views: readonly EventView[];
  /** Days of the events, as a sentence names them. */
  readonly days: string;
  readonly conflicts: readonly Conflict[];
  readonly role: Audience;
}

/** Lists of who is late, open places, double bookings and open confirmations, each with the most urgent first. */
export function Side({ views, days, conflicts, role }: SideProps) {
  const messages = useMessages();
  const { side: texts } = messages.board;
  const nowMs = useMinute();
  const isStaff = role === 'STAFF';
  const gaps = listGaps(views, nowMs);
  const isNeeded = views.some((view) => countPending(view, nowMs).needed > 0);
  const people = views.flatMap((view) =>
    listPending(view, nowMs).flatMap(({ shifts }) => shifts.map((shift) => ({ event: view.event, shift }))),
  );
  const waiting = people
    .filter(({ shift }) => isWaiting(shift))
    .toSorted((a, b) => a.shift.createdAt.localeCompare(b.shift.createdAt));
  const absent = views
    .flatMap(({ event, lanes }) => lanes.flatMap(({ shifts }) => shifts.map((shift) => ({ event, shift }))))
    .flatMap(({ event, shift }) => {
      const presence = presenceOf(shift.attendance, nowMs);
      const isAbsent = presence === 'late' || presence === 'missing';
      return isAbsent ? [{ event, shift, presence, sinceMs: Date.parse(shift.attendance!.lateFrom!) }] : [];
    })
    .toSorted((a, b) => a.sinceMs - b.sinceMs);
  // A staff member's list has all shifts to come; the others have those of the days shown.
  const noneWaiting =
    people.length === 0
      ? isStaff
        ? texts.noneForYou
        : texts.nobodyToCome(days)
      : isStaff
        ? texts.allAnswered
        : texts.allConfirmed(days);
  return (
    <aside className="bd-side" aria-label={texts.label}>
      {absent.length > 0 && (
        <List
          id="absent"
          title={texts.absent}
          rows={absent.map(({ event, shift, presence, sinceMs }) => ({
            event: event.uuid,
            item: shift.uuid,
            name: isStaff ? shift.position.title : fullName(shift),
            detail: texts.absentSince(messages.board.presence[presence], formatUntil(sinceMs, nowMs, messages)),
            isUrgent: true,
            more: `${shift.position.title} · ${event.title}`,
          }))}
        />
      )}
      {!isStaff && (
        <List
          id="open"
          title={texts.open}
          none={isNeeded ? texts.noneOpen(days) : texts.noneNeeded(days)}
          rows={gaps.map(({ event, lane, call }) => ({
            event: event.uuid,
            item: call.uuid,
            name: texts.gap(lane.coverage.open, call.position.title),
            detail: formatUntil(lane.fromMs, nowMs, messages),
            isUrgent: lane.fromMs - nowMs < soonMs,
            more: `${formatMoment(lane.fromMs, event.timezone)} · ${event.title}`,
          }))}
        />
      )}
      {role === 'ADMIN' && conflicts.length > 0 && (
        <List
          id="clashes"
          title={texts.clashes}
          rows={conflicts.map(({ first, second, staff, minutes }) => ({
            event: first.event?.uuid ?? '',
            item: first.uuid,
            name: (
              <>
                <span aria-hidden="true">⚠</span> {staff.name}
              </>
            ),
            detail: minutes === null ? texts.perhaps : formatMinutes(minutes, messages),
            more: `${first.event?.title} ↔ ${second.event?.title}`,
          }))}
        />
      )}
      <List
        id="waiting"
        title={isStaff ? texts.waitingForYou : texts.waiting}
        none={noneWaiting}
        rows={waiting.map(({ event, shift }) => ({
          event: event.uuid,
          item: shift.uuid,
          name: isStaff ? shift.position.title : fullName(shift),
          // The minute of the clock began before what was made in it.
          detail: formatUntil(Math.min(nowMs, Date.parse(shift.createdAt)), nowMs, messages),
          more: `${isStaff ? formatMoment(Date.parse(shift.startsAt ?? event.startsAt), event.timezone) : shift.position.title} · ${event.title}`,
        }))}
      />
    </aside>
  );
}

interface ListProps {
  readonly id: string;
  readonly title: string;
  readonly none?: string;
  readonly rows: readonly {
    readonly event: string;
    readonly item: string;
    readonly name: ReactNode;
    readonly detail: string;
    readonly more: string;
    readonly isUrgent?: boolean;
  }[];
}

function List({ id, title, none, rows }: ListProps) {
  const { side: texts } = useMessages().board;
  return (
    <section className="bd-list" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 && <p className="bd-soft">{none}</p>}
      <ul>
        {rows.slice(0, mostRows).map(({ event, item, name, detail, more, isUrgent }, index) => (
          <li key={`${item} ${index}`}>
            <button type="button" className="bd-row" onClick={() => openPanel(event, item)}>
              <strong>{name}</strong> <span className={isUrgent ? 'bd-missing' : ''}>{detail}</span>
              <small>{more}</small>
            </button>
          </li>
        ))}
      </ul>
      {rows.length > mostRows && <p className="bd-soft">{texts.more(rows.length - mostRows)}</p>}
    </section>
  );
}
