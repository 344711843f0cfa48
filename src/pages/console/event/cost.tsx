import { useRead } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { costQuery, type CallTime } from './documents.ts';
import { formatClocks } from './when.ts';

interface Cost {
  readonly planned: string;
  readonly confirmed: string;
  readonly open: string;
  readonly unpricedShifts: number;
  readonly unpricedOpen: number;
  readonly currency: string;
}

type CostedCall = CallTime & { readonly labourCost: Cost | null };

interface CostData {
  readonly event: {
    readonly startTime: string;
    readonly labourCost: Cost | null;
    readonly callTimes: readonly CostedCall[];
  } | null;
}

/** What the people of the event cost: assigned, confirmed, and still missing. */
export function EventCost({ id }: { id: string }) {
  const read = useRead<CostData>(costQuery, { id });
  return <Loaded read={read}>{({ event }) => <Figures event={event} />}</Loaded>;
}

function Figures({ event }: CostData) {
  const messages = useMessages();
  const { cost: texts } = messages.event;
  const cost = event?.labourCost;
  const callTimes = event?.callTimes ?? [];
  if (!cost || (callTimes.length === 0 && Number(cost.planned) === 0)) return <Empty title={texts.empty} />;
  const money = (amount: string | number) =>
    new Intl.NumberFormat(messages.language, { style: 'currency', currency: cost.currency }).format(Number(amount));
  const figures = [
    [texts.planned, cost.planned, texts.plannedHint],
    [texts.confirmed, cost.confirmed, texts.confirmedHint],
    [texts.open, cost.open, texts.openHint],
    [texts.total, Number(cost.planned) + Number(cost.open), ''],
  ] as const;
  return (
    <>
      <dl className="ev-figures">
        {figures.map(([name, amount, hint]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{money(amount)}</dd>
            {hint && <dd className="ev-hint">{hint}</dd>}
          </div>
        ))}
      </dl>
      {(cost.unpricedShifts > 0 || cost.unpricedOpen > 0) && (
        <p className="ev-hint">{texts.unpriced(cost.unpricedShifts, cost.unpricedOpen)}</p>
      )}
      <Table
        caption={texts.each}
        columns={[
          {
            key: 'call',
            title: texts.each,
            renderCell: (call) =>
              `${call.position.title}, ${formatClocks(call, event!.startTime.slice(0, 10), messages)}`,
          },
          ...(['planned', 'confirmed', 'open'] as const).map((key) => ({
            key,
            title: texts[key],
            isNumber: true,
            isMinor: key === 'confirmed',
            renderCell: ({ labourCost }: CostedCall) => labourCost && money(labourCost[key]),
          })),
        ]}
        rows={callTimes}
        rowKey={({ uuid }) => uuid}
        empty={null}
      />
    </>
  );
}
