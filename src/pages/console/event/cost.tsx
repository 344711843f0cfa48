import { useRead } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import type { CallTime } from './documents.ts';
import { formatClocks } from './when.ts';

interface Cost extends Readonly<Record<'planned' | 'confirmed' | 'open' | 'currency', string>> {
  readonly unpricedShifts: number;
  readonly unpricedOpen: number;
}

type CostedCall = CallTime & { readonly labourCost: Cost | null };

interface CostData {
  readonly event: {
    readonly startTime: string;
    readonly labourCost: Cost | null;
    readonly callTimes: readonly CostedCall[];
  } | null;
}

const costQuery = `query EventCost($id: ID!) {
  event(id: $id) {
    startTime
    labourCost { ...Cost }
    callTimes { uuid startTime startTimeTbd endTime endTimeTbd position { title } labourCost { ...Cost } }
  }
}
fragment Cost on LabourCost { planned confirmed open unpricedShifts unpricedOpen currency }`;

/** What the people of the event cost: assigned, confirmed, and still missing. */
export function EventCost({ id }: { id: string }) {
  const messages = useMessages();
  const { cost: texts } = messages.event;
  const read = useRead<CostData>(costQuery, { id });
  return (
    <Loaded read={read}>
      {({ event }) => {
        const cost = event?.labourCost;
        if (!cost || (event.callTimes.length === 0 && Number(cost.planned) === 0)) return <Empty title={texts.empty} />;
        const money = (amount: string | number) =>
          Number(amount).toLocaleString(messages.language, { style: 'currency', currency: cost.currency });
        const figures = [
          [texts.planned, cost.planned, texts.plannedHint],
          [texts.confirmed, cost.confirmed, texts.confirmedHint],
          [texts.open, cost.open, texts.openHint],
          [texts.total, Number(cost.planned) + Number(cost.open), ''],
        ] as const;
        const amounts = (['planned', 'confirmed', 'open'] as const).map((key) => ({
          key,
          title: texts[key],
          isNumber: true,
          isMinor: key === 'confirmed',
          renderCell: ({ labourCost }: CostedCall) => labourCost && money(labourCost[key]),
        }));
        const day = event.startTime.slice(0, 10);
        const name = (call: CostedCall) => `${call.position.title}, ${formatClocks(call, day, messages)}`;
        return (
          <>
            <dl className="ev-figures">
              {figures.map(([title, amount, hint]) => (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd>{money(amount)}</dd>
                  {hint && <dd className="ev-hint">{hint}</dd>}
                </div>
              ))}
            </dl>
            {cost.unpricedShifts + cost.unpricedOpen > 0 && (
              <p className="ev-hint">{texts.unpriced(cost.unpricedShifts, cost.unpricedOpen)}</p>
            )}
            <Table
              caption={texts.each}
              columns={[{ key: 'call', title: texts.each, renderCell: name }, ...amounts]}
              rows={event.callTimes}
              rowKey={({ uuid }) => uuid}
              empty={null}
            />
          </>
        );
      }}
    </Loaded>
  );
}
