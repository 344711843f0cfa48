import {
  BoardConflictsDocument,
  BoardEventsDocument,
  BoardOwnEventsDocument,
  BoardOwnShiftsDocument,
  BoardScreenDocument,
  type BoardOwnShiftsQuery,
} from '../../../generated/pages/console/board.ts';
import { takeRevision, withRevision } from '../../application/revision.ts';
import type { TypedDocument } from '../../application/document.ts';
import { describeErrors, type Variables } from '../../application/service.ts';
import { readMessages } from '../messages/messages.ts';
import { sendAsViewer } from '../../application/session.ts';
import { fullName, type Audience, type BoardData, type BoardEvent } from './model.ts';
import type { BoardCallTime, Conflict, Shift } from './model.ts';
import { toBoardEvent } from './screen-events.ts';
import { resolveSpan, type Interval } from '../../time/span.ts';
import { trustService } from '../../time/zones.ts';

/** The service did not answer with data. */
export class ReadRefusal extends Error {
  override name = 'ReadRefusal';
  /** Seconds until it may be asked again; null if it did not say. */
  readonly retryAfterS: number | null;
  readonly isLoggedOut: boolean;
  constructor(message: string, retryAfterS: number | null, isLoggedOut: boolean) {
    super(message);
    this.retryAfterS = retryAfterS;
    this.isLoggedOut = isLoggedOut;
  }
}

interface HeldPage {
  readonly etag: string | null;
  readonly revision: string | null;
  readonly page: Page;
}

interface Page {
  readonly nodes: readonly unknown[];
  /** Missing where everything is on one page. */
  readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A shift with its event, as staff read it. */
type OwnShift = Shift & Pick<BoardOwnShiftsQuery['page']['nodes'][number], 'call' | 'event'>;

export type ReadBoard = (
  interval: Interval,
  signal: AbortSignal,
) => Promise<{ readonly data: BoardData; readonly revision: string | null }>;

/** A shift that began so long before the span can still run in it. */
const longestShiftMs = 3 * 86_400_000;

/** Returns a function that reads the whole board. It keeps each page with its entity tag, and asks whether it still holds. */
export function createReader(role: Audience): ReadBoard {
  let held = new Map<string, HeldPage>();
  return async (interval, signal) => {
    const used = new Map<string, HeldPage>();
    const readAll: ReadAll = (query, variables, mostPages = Infinity) =>
      readPages(query, variables, mostPages, { held, used, signal });
    const data = await readByRole[role](readAll, interval);
    held = used;
    // The version of the first page: later pages may have changes that the first one lacks.
    return { data, revision: [...used.values()][0]?.revision ?? null };
  };
}

type ListDocument<Node> = TypedDocument<{ readonly page: { readonly nodes: readonly Node[] } }, Variables>;
type ReadAll = <Node>(query: ListDocument<Node>, variables: Variables, mostPages?: number) => Promise<readonly Node[]>;

/** Conflicts grow with the square of the shifts of a person, and nobody reads more than some hundreds of them. */
const mostConflictPages = 5;
export const mostConflicts = mostConflictPages * 100;

const readByRole: Record<Audience, (readAll: ReadAll, interval: Interval) => Promise<BoardData>> = {
  ADMIN: async (readAll, interval) => {
    const events = await readAll(BoardEventsDocument, toSpan(interval));
    const conflicts = await readAll(BoardConflictsDocument, toSpan(widen(interval, events)), mostConflictPages);
    // Broken rules of who can work, which are about one shift or its rest, are shown on the page of the event.
    const isOverlap = (conflict: (typeof conflicts)[number]): conflict is Conflict => conflict.kind.endsWith('OVERLAP');
    return { events: events.map(withZone), conflicts: conflicts.filter(isOverlap) };
  },
  CLIENT: async (readAll, interval) => {
    const events = await readAll(BoardOwnEventsDocument, {});
    return {
      events: events
        .filter((event) => [event, ...event.callTimes].some((each) => runsIn(each, interval)))
        .map(withZone),
      conflicts: [],
    };
  },
  STAFF: async (readAll, interval) => {
    const nowMs = Date.now();
    const todayMs = resolveSpan('today', null, nowMs).fromMs;
    const from = new Date(Math.min(interval.fromMs, todayMs) - longestShiftMs).toISOString();
    const shifts = await readAll(BoardOwnShiftsDocument, { from });
    const isIn = (shift: OwnShift) => runsIn(withTimes(shift), interval);
    const isLater = (shift: OwnShift) => !isIn(shift) && Date.parse(withTimes(shift).endsAt) > nowMs;
    const [events, later] = [isIn, isLater].map((which) => groupByEvent(shifts.filter(which)).map(withZone));
    return { events: events!, later: later!, conflicts: findOwnConflicts(shifts) };
  },
  // Double bookings name events that are not the screen's.
  SCREEN: async (readAll, interval) => {
    const events = await readAll(BoardScreenDocument, toSpan(interval));
    return { events: events.map(toBoardEvent).map(withZone), conflicts: [] };
  },
};

/** Longest span that the service is asked for, a little less than it takes. */
const longestSpanMs = 390 * 86_400_000;

/** The span, and all the time in which a shift on the board can lie: a night that began in it ends behind it. */
function widen({ fromMs, toMs }: Interval, events: readonly BoardEvent[]): Interval {
  const periods = events.flatMap((event) => [event, ...event.callTimes, ...event.workShifts]);
  const times = (name: 'startsAt' | 'endsAt') =>
    periods.flatMap((period) => (period[name] === null ? [] : Date.parse(period[name])));
  const first = Math.min(fromMs, ...times('startsAt'));
  return { fromMs: first, toMs: Math.min(Math.max(toMs, ...times('endsAt')), Math.max(toMs, first + longestSpanMs)) };
}

/** Double bookings of one person, by all shifts that were read. */
export function findOwnConflicts(shifts: readonly OwnShift[]): Conflict[] {
  const booked = shifts
    .filter(({ event }) => event !== null && event.status !== 'CANCELED')
    .map((shift) => {
      const { startsAt, endsAt } = withTimes(shift);
      const isKnown = shift.startsAt !== null && shift.endsAt !== null;
      return { shift, isKnown, startsAt, fromMs: Date.parse(startsAt), toMs: Date.parse(endsAt) };
    })
    .toSorted((a, b) => a.fromMs - b.fromMs);
  const side = ({ uuid, event }: OwnShift) => ({ uuid, event });
  return booked.flatMap((first, index) =>
    booked
      .slice(index + 1)
      .filter(({ fromMs }) => fromMs < first.toMs)
      .map((second): Conflict => {
        const minutes = Math.ceil((Math.min(first.toMs, second.toMs) - second.fromMs) / 60_000);
        const isCertain = first.isKnown && second.isKnown;
        return {
          kind: isCertain ? 'OVERLAP' : 'POSSIBLE_OVERLAP',
          minutes: isCertain ? minutes : null,
          startsAt: second.startsAt,
          first: side(first.shift),
          second: side(second.shift),
          staff: { name: fullName(first.shift) },
        };
      }),
  );
}

const toSpan = ({ fromMs, toMs }: Interval) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});

const withZone = (event: BoardEvent): BoardEvent => ({
  ...event,
  timezone: trustService(event.start.iso, event.timezone),
});

const runsIn = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }, { fromMs, toMs }: Interval): boolean =>
  Date.parse(endsAt) > fromMs && Date.parse(startsAt) < toMs;

/** While a time of a shift is to be determined, that of its event counts. */
const withTimes = ({ startsAt, endsAt, event }: OwnShift) => ({
  startsAt: startsAt ?? event?.startsAt ?? '',
  endsAt: endsAt ?? event?.endsAt ?? '',
});

/** Events with only the call times and shifts of one staff member. A call time then needs the people who are on it. */
export function groupByEvent(shifts: readonly OwnShift[]): BoardEvent[] {
  const events = new Map<string, BoardEvent & { callTimes: BoardCallTime[]; workShifts: Shift[] }>();
  for (const { event, call, ...shift } of shifts) {
    if (!event) continue;
    const known = events.get(event.uuid) ?? { ...event, callTimes: [], workShifts: [] };
    events.set(event.uuid, known);
    known.workShifts.push(shift);
    const first = call && known.callTimes.find(({ uuid }) => uuid === call.uuid);
    if (call && !first) known.callTimes.push({ ...call, staffNeeded: 1 });
  }
  return [...events.values()];
}

interface Holding {
  readonly held: ReadonlyMap<string, HeldPage>;
  readonly used: Map<string, HeldPage>;
  readonly signal: AbortSignal;
}

async function readPages<Node>(
  query: ListDocument<Node>,
  variables: Variables,
  mostPages: number,
  holding: Holding,
): Promise<readonly Node[]> {
  const nodes: Node[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < mostPages; pages++) {
    const page: Page = await readPage(query, { ...variables, ...(after !== null && { after }) }, holding);
    nodes.push(...(page.nodes as Node[]));
    if (!page.pageInfo?.hasNextPage) break;
    after = page.pageInfo.endCursor;
  }
  return nodes;
}

async function readPage(query: string, variables: Variables, { held, used, signal }: Holding): Promise<Page> {
  const key = JSON.stringify([query, variables]);
  const known = held.get(key);
  const answer = await sendAsViewer({ query: withRevision(query), variables }, signal, known?.etag ?? null);
  const { result, refused, retryAfterS, etag, isUnchanged } = answer;
  if (isUnchanged && known) {
    used.set(key, known);
    return known.page;
  }
  const reason = describeErrors(result);
  if (reason !== null || !result.data)
    throw new ReadRefusal(reason ?? readMessages().session.noData, retryAfterS, refused === 'UNAUTHENTICATED');
  const page = result.data['page'] as Page;
  used.set(key, { etag, page, revision: takeRevision(result).revision });
  return page;
}
