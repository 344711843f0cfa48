import type { PrismaClient } from '../generated/prisma/client.ts';
import type { TenantDb } from './tenant.ts';

/*
 * The only writer of events, call times and shifts. It notes the events at which a place was filled or became free, or somebody works
 * at another time: their offers, waitlists and swaps follow before the transaction commits (src/services/settlement.ts).
 */

/** What is to be settled at an event. */
interface Noted {
  /** The call times whose offers are concerned; null: all of the event. */
  readonly callTimeIds: ReadonlySet<number> | null;
  readonly hasSwaps: boolean;
}

/** What a transaction has changed and not settled yet, by the id of the event. */
export type Unsettled = Map<number, Noted>;

export interface PlacesTx {
  readonly db: TenantDb;
  /** Null where there is nothing to settle: for events that the transaction has just made, and while it settles. */
  readonly unsettled: Unsettled | null;
}

type Place = 'event' | 'callTime' | 'workShift';

/** The columns that concern offers and swaps. The times of an event concern them by its call times and shifts. */
const concerning: Readonly<Record<Place, readonly string[]>> = {
  event: ['status'],
  callTime: ['staffNeeded', 'positionId', 'startsAt', 'endsAt', 'startTbd', 'endTbd'],
  workShift: ['status', 'userId', 'callTimeId', 'positionId', 'startsAt', 'endsAt'],
};

/** Notes that offers of an event are to be settled, of some call times or of all, and swaps as well or not. */
export function notePlaces(
  { unsettled }: Pick<PlacesTx, 'unsettled'>,
  eventId: number,
  callTimeIds: readonly number[] | null,
  hasSwaps: boolean,
): void {
  const before = unsettled?.get(eventId) ?? { callTimeIds: new Set<number>(), hasSwaps: false };
  unsettled?.set(eventId, {
    callTimeIds: callTimeIds && before.callTimeIds && new Set([...before.callTimeIds, ...callTimeIds]),
    hasSwaps: hasSwaps || before.hasSwaps,
  });
}

type Row = Readonly<Record<string, unknown>>;

/**
 * The tables of places, to be written at events that are locked. A new shift names its event itself. Nothing hangs on a new event or
 * call time, nor on one that is deleted: what was offered there is taken back before.
 */
export function writePlaces(tx: PlacesTx, ...eventIds: readonly number[]): Pick<PrismaClient, Place> {
  const note = (place: Place, method: string, rows: readonly Row[]) => {
    const isNew = method.startsWith('create');
    if (isNew && place !== 'workShift') return;
    for (const { eventId, callTimeId } of isNew ? rows : [])
      if (typeof callTimeId === 'number') notePlaces(tx, Number(eventId), [callTimeId], false);
    if (isNew || !rows.some((row) => concerning[place].some((column) => row[column] !== undefined))) return;
    for (const id of eventIds) notePlaces(tx, id, null, true);
  };
  const writer = (place: Place): object =>
    new Proxy(tx.db[place], {
      get: (table, method: string) => (args: { readonly data?: Row | readonly Row[] }) => {
        note(place, method, [args.data ?? []].flat());
        return (Reflect.get(table, method) as (given: object) => unknown)(args);
      },
    });
  return { event: writer('event'), callTime: writer('callTime'), workShift: writer('workShift') } as ReturnType<
    typeof writePlaces
  >;
}
