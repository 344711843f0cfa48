import { Link } from 'wouter';
import { readZone } from '../../time/span.ts';
import { formatMoment, formatTime, formatZone } from '../../time/zones.ts';
import { useMessages } from '../messages/messages.ts';
import { Empty } from '../parts/notice.tsx';
import { Table, type Column } from '../parts/table.tsx';
import type { Shift, Shifts } from './data.ts';

/** Shifts with their hours. */
export function ShiftTable({ shifts: { nodes, totalCount }, isPast }: { shifts: Shifts; isPast: boolean }) {
  const { person, language } = useMessages();
  const { shifts: texts } = person;
  const formatHours = (minutes: number) => (minutes / 60).toLocaleString(language, { maximumFractionDigits: 2 });
  const active = nodes.filter(({ status, event }) => status === 'ACTIVE' && event?.status !== 'CANCELED');
  const known = active.flatMap(({ durationMinutes }) => durationMinutes ?? []);
  const minutes = known.reduce((sum, each) => sum + each, 0);
  const columns: readonly Column<Shift>[] = [
    { key: 'time', title: texts.columns.time, renderCell: (shift) => <When shift={shift} /> },
    {
      key: 'event',
      title: texts.columns.event,
      renderCell: ({ event }) =>
        event && (
          <Link href={`/events/${event.uuid}`} dir="auto">
            {event.title}
          </Link>
        ),
    },
    { key: 'position', title: texts.columns.position, isMinor: true, renderCell: ({ position }) => position.title },
    {
      key: 'answer',
      title: texts.columns.answer,
      renderCell: (shift) => <span className="pp-word">{texts[findAnswer(shift)]}</span>,
    },
    {
      key: 'hours',
      title: texts.columns.hours,
      isNumber: true,
      isMinor: true,
      renderCell: ({ durationMinutes }) => durationMinutes !== null && texts.hour(formatHours(durationMinutes)),
    },
  ];
  return (
    <>
      {nodes.length > 0 && (
        <p className="pp-count">
          {texts.hours(formatHours(minutes), known.length)}
          {active.length > known.length && ` · ${texts.untimed(active.length - known.length)}`}
          {totalCount > nodes.length && ` · ${texts.shown(nodes.length, totalCount)}`}
        </p>
      )}
      <Table
        caption={isPast ? texts.past : texts.coming}
        columns={columns}
        rows={nodes}
        rowKey={({ uuid }) => uuid}
        empty={
          isPast ? <Empty title={texts.nonePast} /> : <Empty title={texts.noneComing}>{texts.noneComingLead}</Empty>
        }
      />
    </>
  );
}

/** The time of a shift by the clocks at the event, which the person goes by. */
function When({ shift: { startsAt, endsAt, event } }: { shift: Shift }) {
  const { person } = useMessages();
  if (startsAt === null) return person.shifts.tbd;
  const zone = event?.timezone ?? readZone();
  const startMs = Date.parse(startsAt);
  return (
    <time dateTime={startsAt}>
      {formatMoment(startMs, zone)}
      {endsAt && ` – ${formatTime(Date.parse(endsAt), zone)}`}
      {formatZone(startMs, zone) !== formatZone(startMs, readZone()) && ` ${formatZone(startMs, zone)}`}
    </time>
  );
}

function findAnswer({ status, confirmed, declinedAt, event }: Shift) {
  if (event?.status === 'CANCELED') return 'eventCanceled';
  if (status !== 'ACTIVE') return declinedAt ? 'declined' : 'canceled';
  return confirmed ? 'confirmed' : 'waiting';
}
