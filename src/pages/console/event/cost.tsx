import { EventCostDocument, type CostFragment, type EventCostQuery } from '../../../generated/pages/console/event.ts';
import { useRead } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { formatClocks } from '../../time/when.ts';

const parts = ['planned', 'confirmed', 'actual'] as const;
type Part = (typeof parts)[number];

type Cost = CostFragment;
type CostedCall = EventCostQuery['event']['callTimes'][number];

/** Of how many shifts or places an amount has nothing. */
const unknownOf = {
  planned: 'unpricedShifts',
  confirmed: 'unpricedShifts',
  actual: 'withoutActual',
  open: 'unpricedOpen',
} as const;

/** Formats an amount, or a dash in place of a sum of nothing: what is not known is not 0. */
type FormatMoney = (amount: string | number, unknown: number) => string;

const isNothing = ({ planned, unpricedShifts, withoutActual }: Cost) =>
  Number(planned) === 0 && unpricedShifts + withoutActual === 0;

/** What the people of the event cost: assigned, confirmed, and still missing. */
export function EventCost({ id }: { id: string }) {
  const messages = useMessages();
  const { cost: texts } = messages.event;
  const read = useRead(EventCostDocument, { id });
  return (
    <Loaded read={read}>
      {({ event }) => {
        const cost = event?.labourCost;
        if (!cost || (event.callTimes.length === 0 && isNothing(cost))) return <Empty title={texts.empty} />;
        const money: FormatMoney = (amount, unknown) =>
          Number(amount) === 0 && unknown > 0
            ? '–'
            : Number(amount).toLocaleString(messages.language, { style: 'currency', currency: cost.currency });
        const figures = [
          [texts.planned, money(cost.planned, cost.unpricedShifts), texts.plannedHint],
          [texts.confirmed, money(cost.confirmed, cost.unpricedShifts), texts.confirmedHint],
          [texts.actual, money(cost.actual, cost.withoutActual), texts.actualHint(cost.withoutActual)],
          [texts.open, money(cost.open, cost.unpricedOpen), texts.openHint],
          [texts.total, money(Number(cost.planned) + Number(cost.open), cost.unpricedShifts + cost.unpricedOpen), ''],
        ] as const;
        const amounts = (['planned', 'confirmed', 'actual', 'open'] as const).map((key) => ({
          key,
          title: texts[key],
          isNumber: true,
          isMinor: key === 'confirmed' || key === 'actual',
          renderCell: ({ labourCost }: CostedCall) => labourCost && money(labourCost[key], labourCost[unknownOf[key]]),
        }));
        const day = event.startTime.slice(0, 10);
        const name = (call: CostedCall) => `${call.position.title}, ${formatClocks(call, day, messages)}`;
        return (
          <>
            <dl className="ev-figures">
              {figures.map(([title, amount, hint]) => (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd>{amount}</dd>
                  {hint && <dd className="ev-hint">{hint}</dd>}
                </div>
              ))}
            </dl>
            {cost.unpricedShifts + cost.unpricedOpen > 0 && (
              <p className="ev-hint">{texts.unpriced(cost.unpricedShifts, cost.unpricedOpen)}</p>
            )}
            <Revenue cost={cost} money={money} />
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

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.005;

/** What the client pays beside what it costs; without any bill rate, how to get there. */
function Revenue({ cost, money }: { cost: Cost; money: FormatMoney }) {
  const { cost: texts } = useMessages().event;
  const isKnown = parts.some((part) => Number(cost[`${part}Revenue`]) > 0);
  if (!isKnown) return <p className="ev-hint">{texts.noBills}</p>;
  const unbilled = (part: Part) => (part === 'actual' ? cost.withoutActualRevenue : cost.unbilledShifts);
  const hasMargin = (part: Part) =>
    isSame(Number(cost[`${part}Revenue`]) - Number(cost[part]), Number(cost[`${part}Margin`]));
  const amounts = [
    { key: 'revenue', title: texts.revenueOf, of: (part: Part) => money(cost[`${part}Revenue`], unbilled(part)) },
    { key: 'cost', title: texts.costOf, of: (part: Part) => money(cost[part], cost[unknownOf[part]]) },
    {
      key: 'margin',
      title: texts.marginOf,
      // Revenue and cost of other shifts than the margin has would stand beside it.
      of: (part: Part) =>
        hasMargin(part) ? money(cost[`${part}Margin`], unbilled(part) + cost[unknownOf[part]]) : '–',
    },
  ];
  return (
    <>
      <Table
        caption={texts.revenue}
        columns={[
          { key: 'part', title: texts.shifts, renderCell: (part: Part) => texts[part] },
          ...amounts.map(({ key, title, of }) => ({
            ...{ key, title, isNumber: true, isMinor: key === 'cost' },
            renderCell: of,
          })),
        ]}
        rows={parts}
        rowKey={(part) => part}
        empty={null}
      />
      {cost.unbilledShifts + cost.withoutActualRevenue > 0 && (
        <p className="ev-hint">
          {texts.unbilled(cost.unbilledShifts, cost.withoutActualRevenue)} {!parts.every(hasMargin) && texts.noMargin}
        </p>
      )}
    </>
  );
}
