import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import type { EventRow } from '../fields/events.ts';
import type { FieldList } from '../fields/field-list.ts';
import { workShiftFields, type WorkShiftRow } from '../fields/work-shifts.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { selectCallTimesOfEvents } from './call-times.ts';
import { selectCustomFieldValuesOfEvents, type CustomFieldValueRow } from './custom-field-values.ts';
import { selectEventByUuid } from './events.ts';
import { rawOf, type TenantDb } from './tenant.ts';
import { selectActiveShiftsOfEvents } from './work-shifts.ts';

export interface ListsOfEvent {
  readonly callTimes: CallTimeRow[];
  readonly workShifts: WorkShiftRow[];
  readonly customFields: CustomFieldValueRow[];
}

const eventLists = ['callTimes', 'workShifts', 'customFields'] as const satisfies (keyof ListsOfEvent)[];

const selectList = {
  callTimes: selectCallTimesOfEvents,
  workShifts: selectActiveShiftsOfEvents,
  customFields: selectCustomFieldValuesOfEvents,
} as const;

const instantsOf = (fields: FieldList): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.kind === 'instant');

/** Fields that JSON gives as a text. */
const instantsIn = {
  callTimes: instantsOf(callTimeFields),
  workShifts: instantsOf(workShiftFields),
  customFields: [],
} as const satisfies Record<keyof ListsOfEvent, readonly string[]>;

type Found = Partial<ListsOfEvent> & { readonly event: EventRow };

/**
 * Reads an event that the caller may see, with some of its lists, each with the fields that are shown, in one statement; null if there is no such event. Each list
 * comes as one JSON text, because the lists differ in their columns.
 */
export async function readEventWithLists(
  db: TenantDb,
  uuid: string,
  asked: Partial<Record<keyof ListsOfEvent, readonly string[]>>,
  atMostEach?: number,
): Promise<Found | null> {
  const lists = eventLists.filter((list) => asked[list]);
  const columns = lists.map(
    (list) => Prisma.sql`
           (SELECT coalesce(json_agg(item), '[]') FROM (${selectList[list](db, 'event', { atMostEach, shown: asked[list] })}) AS item) AS ${Prisma.raw(`"${list}"`)}`,
  );
  const [row] = await rawOf(db).$queryRaw<(EventRow & Partial<ListsOfEvent>)[]>(Prisma.sql`
    SELECT ${Prisma.join([Prisma.sql`event.*`, ...columns])} FROM (${selectEventByUuid(db, uuid)}) AS event`);
  if (!row) return null;
  const { callTimes, workShifts, customFields, ...event } = row;
  for (const list of lists)
    for (const item of (row[list] ?? []) as unknown as Record<string, unknown>[])
      for (const name of instantsIn[list]) item[name] &&= new Date(item[name] as string);
  return {
    event,
    ...(callTimes && { callTimes }),
    ...(workShifts && { workShifts }),
    ...(customFields && { customFields }),
  };
}
