import { ApproveDocument, AttendanceDocument, UnlockDocument } from '../../../generated/pages/console/attendance.ts';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useMinute } from '../../time/clock.ts';
import { formatLocalDay, setZone, startOfDay } from '../../time/span.ts';
import { formatTime } from '../../time/zones.ts';
import { useLive, useRead, useViewer, useWrite } from '../../application/data.ts';
import { ClashDialog } from '../event/clash-dialog.tsx';
import { addDays, daysOf, isDay } from '../../time/dates.ts';
import { useMessages } from '../messages/messages.ts';
import { Button, type ButtonProps } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DateField } from '../parts/fields.tsx';
import { Page } from '../parts/frame.tsx';
import { Hinted } from '../parts/hinted.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { showToast } from '../parts/toast.tsx';
import { toggled } from '../parts/toggled.ts';
import { check, setNoted } from '../changes/actions.ts';
import { describeRefused, fullName, takeSteps } from '../changes/steps.ts';
import {
  describePlan,
  formatHours,
  statesOfShift,
  toFilter,
  views,
  type Address,
  type Attendance,
  type View,
} from './data.ts';
import { EditDialog } from './edit.tsx';
import './attendance.css';

function readAddress(search: string, week: { readonly from: string; readonly to: string }): Address {
  const query = new URLSearchParams(search);
  const [view = 'attention', from, to] = ['view', 'from', 'to'].map((name) => query.get(name) ?? undefined);
  const shown = views.find((each) => each === view) ?? 'attention';
  const isOpen = shown === 'attention' || shown === 'approve';
  const dayOf = (text: string | undefined, day: string) => (text && isDay(text) ? text : isOpen ? null : day);
  return { view: shown, from: dayOf(from, week.from), to: dayOf(to, week.to), event: query.get('event') };
}

function writeAddress({ view, from, to, event }: Address): string {
  return `/attendance?${new URLSearchParams({ view, ...(from && { from }), ...(to && { to }), ...(event && { event }) })}`;
}

/** Who came on the day, and what of it is approved. */
export default function AttendancePageOfAdmins() {
  const { attendance: texts } = useMessages();
  const { business } = useViewer();
  useLive();
  setZone(business.timezone);
  const [, navigate] = useLocation();
  const days = daysOf('week', formatLocalDay(useMinute()), business.weekStart);
  const address = readAddress(useSearch(), { from: days.from, to: addDays(days.to, -1) });
  const { view, from, to } = address;
  const filter = toFilter(address, from === null ? null : startOfDay(from), to === null ? null : startOfDay(to, 1));
  const read = useRead(AttendanceDocument, { filter });
  const change = (next: Partial<Address>) => navigate(writeAddress({ ...address, ...next }), { replace: true });
  return (
    <Page title={texts.title} actions={<LinkButton href="/payroll">{texts.payroll}</LinkButton>}>
      <Tabs
        label={texts.views.label}
        tabs={views.map((key) => ({ key, label: texts.views[key] }))}
        selected={view}
        onSelect={(next: View) => change({ view: next })}
      >
        <search className="at-filters" aria-label={texts.filters.label}>
          <DateField label={texts.filters.from} value={from ?? ''} onChange={(day) => change({ from: day || null })} />
          <DateField label={texts.filters.to} value={to ?? ''} onChange={(day) => change({ to: day || null })} />
          {address.event && (
            <Button look="quiet" onClick={() => change({ event: null })}>
              {texts.filters.everyEvent}
            </Button>
          )}
        </search>
        <Loaded read={read}>
          {({ attendance }) => (
            <Shifts
              key={JSON.stringify(filter)}
              rows={attendance.nodes}
              totalCount={attendance.totalCount}
              view={view}
              isLoading={read.isLoading}
            />
          )}
        </Loaded>
      </Tabs>
    </Page>
  );
}

interface ShiftsProps {
  readonly rows: readonly Attendance[];
  readonly totalCount: number;
  readonly view: View;
  readonly isLoading: boolean;
}

function Shifts({ rows, totalCount, view, isLoading }: ShiftsProps) {
  const messages = useMessages();
  const { attendance: texts, language } = messages;
  const nowMs = useMinute();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState<readonly Attendance[]>([]);
  const [edited, setEdited] = useState<Attendance | null>(null);
  const [asking, setAsking] = useState<readonly Attendance[] | null>(null);
  const approve = useWrite(ApproveDocument);
  const chosen = rows.filter(({ uuid }) => picked.has(uuid));
  const isPicking = view === 'approve';

  const send = async (shifts: readonly Attendance[], reason: string | null = null) => {
    setSent(shifts);
    const shiftIds = shifts.map(({ uuid }) => uuid);
    const { data, fault } = await approve.write({ shiftIds, ...(reason && { override: { reason } }) });
    if (fault) return;
    setPicked(new Set());
    showToast({ text: texts.approvedDone(data.approved.length) });
  };
  const renderHours = ({ actualMinutes, plannedMinutes }: Attendance) => (
    <Hinted hints={[plannedMinutes !== null && texts.planned(formatHours(plannedMinutes, language))]}>
      {actualMinutes === null ? '–' : formatHours(actualMinutes, language)}
    </Hinted>
  );
  const columns: Column<Attendance>[] = [
    {
      key: 'person',
      title: texts.columns.person,
      renderCell: (row) => (
        <span className="at-person">
          {isPicking && (
            <input
              type="checkbox"
              aria-label={texts.pick(fullName(row))}
              checked={picked.has(row.uuid)}
              onChange={() => setPicked((before) => toggled(before, row.uuid))}
            />
          )}
          <span>
            <bdi>{fullName(row)}</bdi>
            <span className="cs-hint">{describePlan(row, messages.myShifts.tbd)}</span>
            <span className="cs-hint">
              {row.position} · <Link href={`/events/${row.eventUuid}`}>{row.eventTitle}</Link>
            </span>
          </span>
        </span>
      ),
    },
    {
      key: 'noted',
      title: texts.columns.noted,
      renderCell: (row) => (
        <>
          <NotedCell row={row} nowMs={nowMs} />
          <span className="at-narrow">
            {texts.columns.hours}: {renderHours(row)}
          </span>
        </>
      ),
    },
    {
      key: 'hours',
      title: texts.columns.hours,
      isNumber: true,
      isMinor: true,
      renderCell: renderHours,
    },
    {
      key: 'actions',
      title: texts.columns.actions,
      renderCell: (row) => <RowActions row={row} nowMs={nowMs} onApprove={send} onEdit={() => setEdited(row)} />,
    },
  ];
  return (
    <div className="at-list" aria-busy={isLoading}>
      <p className="at-count" role="status">
        {totalCount > rows.length ? texts.tooMany(rows.length, totalCount) : texts.count(totalCount)}
      </p>
      {isPicking && rows.length > 0 && (
        <p className="cb-buttons">
          <Button
            look="primary"
            isBusy={approve.isPending}
            onClick={() => {
              const shifts = chosen.length > 0 ? chosen : rows;
              if (shifts.length > 1) setAsking(shifts);
              else void send(shifts);
            }}
          >
            {chosen.length > 0 ? texts.approveSome(chosen.length) : texts.approveAll(rows.length)}
          </Button>
        </p>
      )}
      {asking && (
        <ApproveDialog
          rows={asking}
          onApprove={() => {
            setAsking(null);
            void send(asking);
          }}
          onClose={() => setAsking(null)}
        />
      )}
      <ClashDialog write={approve} onDecide={({ reason }) => void send(sent, reason)} />
      {approve.fault && approve.fault.code !== 'CLASH' && (
        <Notice look="bad">{[approve.fault.message, ...Object.values(approve.fault.fields)].join(' ')}</Notice>
      )}
      <Table
        caption={texts.views[view]}
        columns={columns}
        rows={rows}
        rowKey={({ uuid }) => uuid}
        empty={<Empty title={texts.none[view]} />}
      />
      {edited && <EditDialog row={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

const muchMinutes = 30;
const mostListed = 10;

/** Asks before many are approved at once: the payroll takes what is approved. */
function ApproveDialog({
  rows,
  onApprove,
  onClose,
}: {
  rows: readonly Attendance[];
  onApprove: () => void;
  onClose: () => void;
}) {
  const { attendance, language } = useMessages();
  const { approving: texts } = attendance;
  const hours = (minutes: number | null) => formatHours(minutes ?? 0, language);
  const sum = (name: 'actualMinutes' | 'plannedMinutes') => rows.reduce((all, row) => all + (row[name] ?? 0), 0);
  const differing = rows.filter(
    ({ actualMinutes, plannedMinutes }) => Math.abs((actualMinutes ?? 0) - (plannedMinutes ?? 0)) > muchMinutes,
  );
  return (
    <Dialog
      title={texts.title(rows.length)}
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onApprove}>
          {attendance.approve}
        </Button>
      }
    >
      <p>{texts.hours(hours(sum('actualMinutes')), hours(sum('plannedMinutes')))}</p>
      <p>{texts.differ(differing.length)}</p>
      {differing.length > 0 && (
        <ul>
          {differing.slice(0, mostListed).map((row) => (
            <li key={row.uuid}>{texts.line(fullName(row), hours(row.actualMinutes), hours(row.plannedMinutes))}</li>
          ))}
          {differing.length > mostListed && <li>{texts.more(differing.length - mostListed)}</li>}
        </ul>
      )}
      <p>{texts.noUndo}</p>
    </Dialog>
  );
}

/** When somebody came and left, and in which state that is. */
function NotedCell({ row, nowMs }: { row: Attendance; nowMs: number }) {
  const { attendance: texts, board, event } = useMessages();
  const { checkedInAt, checkedOutAt, breakMinutes, timezone, note } = row;
  const { takesPlace, presence, isNotOut, isToCome, isToApprove } = statesOfShift(row, nowMs);
  const time = (at: string) => formatTime(Date.parse(at), timezone);
  const states = [
    !takesPlace && event.statuses[row.eventStatus],
    takesPlace && isToCome ? texts.states.toCome : presence === null ? texts.states.nothing : board.presence[presence],
    isNotOut && texts.states.notOut,
    row.autoClosed && texts.states.autoClosed,
    isToApprove && texts.states.toApprove,
    row.approvedAt && texts.states.approved,
  ];
  const isUrgent = isNotOut || presence === 'late' || presence === 'missing';
  return (
    <>
      {checkedInAt && (
        <span className="at-times">
          {texts.times(time(checkedInAt), checkedOutAt ? time(checkedOutAt) : texts.stillThere)}
          {breakMinutes > 0 && ` · ${texts.breaks(breakMinutes)}`}
        </span>
      )}
      <span className={isUrgent ? 'at-urgent' : 'cs-hint'}>{states.filter(Boolean).join(' · ')}</span>
      {note && <span className="cs-hint">“{note}”</span>}
    </>
  );
}

interface RowActionsProps {
  readonly row: Attendance;
  readonly nowMs: number;
  readonly onApprove: (shifts: readonly Attendance[]) => Promise<void>;
  readonly onEdit: () => void;
}

function RowActions({ row, nowMs, onApprove, onEdit }: RowActionsProps) {
  const messages = useMessages();
  const { attendance: texts, staffing } = messages;
  const [isBusy, setIsBusy] = useState(false);
  const unlock = useWrite(UnlockDocument);
  const name = fullName(row);
  const { takesPlace, presence, isToCome, isToApprove } = statesOfShift(row, nowMs);
  const note = async (what: 'checkIn' | 'checkOut' | 'noShow') => {
    const run = () => (what === 'noShow' ? setNoted(row, { noShow: true }, { noShow: false }) : check(what, row));
    setIsBusy(true);
    const refused = await takeSteps(
      [{ key: row.uuid, name, run }],
      what === 'noShow' ? texts.noted : staffing.checked[what],
      messages,
    );
    setIsBusy(false);
    if (refused.length > 0) showToast({ text: describeRefused(refused, messages).faults.join(' ') });
  };
  const onUnlock = async () => {
    const { data, fault } = await unlock.write({ eventId: row.eventUuid, userId: row.user?.id });
    showToast({ text: fault ? fault.message : texts.unlocked(data.unlockCheckIn.unlocked, name) });
  };
  const next =
    presence === 'here'
      ? 'checkOut'
      : (presence === null && takesPlace && !isToCome) || presence === 'late' || presence === 'missing'
        ? 'checkIn'
        : null;
  const button = (text: string, onClick: () => void, more: Omit<ButtonProps, 'onClick'> = {}) => (
    <Button look="quiet" aria-label={texts.actionOf(text, name)} onClick={onClick} {...more}>
      {text}
    </Button>
  );
  return (
    <div className="at-actions">
      {isToApprove && button(texts.approve, () => void onApprove([row]))}
      {next && button(staffing[next], () => void note(next), { look: 'plain', isBusy })}
      {next === 'checkIn' && button(texts.noShow, () => void note('noShow'), { isBusy })}
      {button(texts.edit, onEdit)}
      {!row.approvedAt &&
        !row.checkedOutAt &&
        button(texts.unlock, () => void onUnlock(), { isBusy: unlock.isPending })}
    </div>
  );
}
