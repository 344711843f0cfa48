import { PayrollDocument, type PayrollQuery } from '../../../generated/pages/console/payroll.ts';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useMinute } from '../../time/clock.ts';
import { formatLocalDay, setZone } from '../../time/span.ts';
import { formatHours } from '../attendance/data.ts';
import '../attendance/attendance.css';
import { useLive, useRead, useViewer } from '../../application/data.ts';
import { addDays, daysOf, formatDate, formatDays, isDay } from '../../time/dates.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { DateField } from '../parts/fields.tsx';
import { Page } from '../parts/frame.tsx';
import { Hinted } from '../parts/hinted.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { downloadCsv } from '../settings/export.tsx';
import { fullName } from '../changes/steps.ts';

type Kind = 'planned' | 'actual' | 'approved';
const kinds: readonly Kind[] = ['planned', 'actual', 'approved'];

type Sums = PayrollQuery['payroll']['total'];
type Row = PayrollQuery['payroll']['rows'][number];

/** What people are paid on some days, at first those of this week. */
export default function PayrollPage() {
  const { payroll: texts, language } = useMessages();
  const { business } = useViewer();
  useLive();
  setZone(business.timezone);
  const today = formatLocalDay(useMinute());
  const [, navigate] = useLocation();
  const query = new URLSearchParams(useSearch());
  const dayOf = (name: string, day: string) => {
    const sent = query.get(name);
    return isDay(sent) ? sent : day;
  };
  const from = dayOf('from', daysOf('week', today, business.weekStart).from);
  const to = dayOf('to', addDays(from, 6));
  const [fault, setFault] = useState<string | null>(null);
  const read = useRead(PayrollDocument, { from, to });
  const show = (next: { readonly from: string; readonly to: string }) =>
    navigate(`/payroll?${new URLSearchParams({ ...next })}`, { replace: true });
  const showWeek = (day: string) => {
    const days = daysOf('week', day, business.weekStart);
    show({ from: days.from, to: addDays(days.to, -1) });
  };
  const download = async () => {
    try {
      await downloadCsv(`/v1/payroll?${new URLSearchParams({ from, to })}`, `payroll-${from}-${to}`, texts.failed);
      setFault(null);
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <Page title={texts.title} actions={<Button onClick={() => void download()}>{texts.download}</Button>}>
      <p className="at-count">{texts.lead}</p>
      <div className="at-week">
        <Button aria-label={texts.previous} onClick={() => showWeek(addDays(from, -7))}>
          ‹
        </Button>
        <Button onClick={() => showWeek(today)}>{texts.thisWeek}</Button>
        <Button aria-label={texts.next} onClick={() => showWeek(addDays(from, 7))}>
          ›
        </Button>
        <DateField label={texts.from} value={from} onChange={(day) => day && show({ from: day, to })} />
        <DateField label={texts.to} value={to} onChange={(day) => day && show({ from, to: day })} />
      </div>
      <h2 aria-live="polite">{from <= to && formatDays({ from, to: addDays(to, 1) }, language)}</h2>
      {fault !== null && <Notice look="bad">{fault}</Notice>}
      <Loaded read={read}>
        {({ payroll }) => <Sheet {...payroll} from={from} to={to} isLoading={read.isLoading} />}
      </Loaded>
    </Page>
  );
}

type SheetProps = PayrollQuery['payroll'] & { readonly from: string; readonly to: string; readonly isLoading: boolean };

function Sheet({ total, rows, currency, from, to, isLoading }: SheetProps) {
  const { payroll: texts, language } = useMessages();
  const money = (amount: string) => Number(amount).toLocaleString(language, { style: 'currency', currency });
  const hours = (minutes: number) => texts.hours(formatHours(minutes, language));
  /** What is not known is counted below the sum of what is, and is no sum where nothing is known. */
  const countUnknown = (of: Sums, kind: Kind) =>
    ({
      planned: { pay: of.unplannedShifts, time: of.untimedShifts },
      actual: { pay: of.openShifts, time: of.withoutActualMinutes },
      approved: { pay: 0, time: 0 },
    })[kind];
  const isKnown = (of: Sums, unknown: number) => unknown === 0 || unknown < of.shifts;
  const amount = (of: Sums, kind: Kind) => (isKnown(of, countUnknown(of, kind).pay) ? money(of[`${kind}Amount`]) : '–');
  const details = (of: Sums, kind: Kind) => {
    const { pay, time } = countUnknown(of, kind);
    return [
      ...(isKnown(of, time) ? [hours(of[`${kind}Minutes`])] : []),
      ...(time > 0 ? [texts.unknown(time)] : []),
      ...(pay > 0 && pay !== time ? [texts.unpaid(pay)] : []),
    ];
  };
  const columns: Column<Row>[] = [
    {
      key: 'person',
      title: texts.columns.person,
      renderCell: (row) => (
        <Hinted hints={[texts.rate(money(row.payRate), row.payUnit)]}>
          <bdi>{fullName(row)}</bdi>
        </Hinted>
      ),
    },
    {
      key: 'week',
      title: texts.columns.week,
      isMinor: true,
      renderCell: ({ week }) => formatDate(week, 'short', language),
    },
    ...kinds.map((kind): Column<Row> => ({
      key: kind,
      title: texts.columns[kind],
      isNumber: true,
      isMinor: kind === 'planned',
      renderCell: (row) => <Hinted hints={details(row, kind)}>{amount(row, kind)}</Hinted>,
    })),
    ...(total.overtimeMinutes === null
      ? []
      : [
          {
            key: 'overtime',
            title: texts.columns.overtime,
            isNumber: true,
            isMinor: true,
            renderCell: ({ overtimeMinutes }: Row) => hours(overtimeMinutes ?? 0),
          },
        ]),
  ];
  const missing = total.shifts - total.approvedShifts;
  return (
    <div className="at-list" aria-busy={isLoading}>
      <dl className="at-figures" aria-label={texts.total}>
        {kinds.map((kind) => (
          <div key={kind}>
            <dt>{texts.figures[kind]}</dt>
            <dd>{amount(total, kind)}</dd>
            {details(total, kind).map((text) => (
              <dd key={text} className="cs-hint">
                {text}
              </dd>
            ))}
          </div>
        ))}
        {total.overtimeMinutes !== null && (
          <div>
            <dt>{texts.figures.overtime}</dt>
            <dd>{hours(total.overtimeMinutes)}</dd>
          </div>
        )}
      </dl>
      <p role="status">
        {texts.notApproved(missing)}{' '}
        {missing > 0 && <Link href={`/attendance?view=all&from=${from}&to=${to}`}>{texts.showThem}</Link>}
      </p>
      <Table
        caption={texts.title}
        columns={columns}
        rows={rows}
        rowKey={({ userId, week, payRate, payUnit }) => `${userId} ${week} ${payRate} ${payUnit}`}
        empty={<Empty title={texts.none} />}
      />
    </div>
  );
}
