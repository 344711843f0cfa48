import type { Address, Show } from './address.ts';
import { buildAxis, buildLanes, sumCoverage, type Axis, type Coverage, type Lane } from './lanes.ts';
import type { BoardData, BoardEvent, Conflict } from './model.ts';
import { presenceSteps } from '../../time/presence.ts';

/* What of the data is shown: filters, figures, and what each event's card is drawn from. */

export interface EventView {
  readonly event: BoardEvent;
  readonly lanes: readonly Lane[];
  readonly axis: Axis;
  readonly coverage: Coverage;
}

const views = new WeakMap<BoardEvent, Map<string | null, EventView>>();

/** The view of an event, with the lanes of one position only if that is given. The same event has the same view. */
export function viewEvent(event: BoardEvent, position: string | null): EventView {
  const known = views.get(event) ?? new Map<string | null, EventView>();
  views.set(event, known);
  const view = known.get(position) ?? buildView(event, position);
  known.set(position, view);
  return view;
}

function buildView(event: BoardEvent, position: string | null): EventView {
  const all = buildLanes(event);
  const lanes = position === null ? all : all.filter((lane) => hasPosition(lane, position));
  return { event, lanes, axis: buildAxis(event, all), coverage: sumCoverage(lanes.map(({ coverage }) => coverage)) };
}

const hasPosition = ({ call, shifts }: Lane, position: string): boolean =>
  call ? call.position.title === position : shifts.some((shift) => shift.position.title === position);

/** What is still to come or runs: what has ended is not open any more, and a canceled event asks for nothing. */
export const listPending = ({ event, lanes }: Pick<EventView, 'event' | 'lanes'>, nowMs: number): Lane[] =>
  event.status === 'CANCELED' ? [] : lanes.filter(({ toMs }) => toMs > nowMs);

export const countPending = (view: EventView, nowMs: number): Coverage =>
  sumCoverage(listPending(view, nowMs).map(({ coverage }) => coverage));

/** When a lane of an event last ended, or somebody on it became late or missing. It stays the same until the next time. */
export const lastTurn = ({ lanes }: EventView, nowMs: number): number =>
  Math.max(
    0,
    ...lanes
      .flatMap(({ toMs, shifts }) => [
        toMs,
        ...shifts.flatMap(({ attendance }) => (attendance ? presenceSteps(attendance) : [])),
      ])
      .filter((ms) => ms <= nowMs),
  );

const isOver = ({ event, lanes }: EventView, nowMs: number): boolean =>
  lanes.every(({ toMs }) => toMs <= nowMs) && Date.parse(event.endsAt) <= nowMs;

export interface Figures {
  readonly coverage: Coverage;
  readonly clashes: number;
  readonly events: number;
}

export interface Selection {
  /** Those that have ended come last. */
  readonly views: readonly EventView[];
  /** The views, and those of later events: of which the lists speak. */
  readonly listed: readonly EventView[];
  readonly figures: Figures;
  readonly conflicts: readonly Conflict[];
}

/** Applies the filters. The figures count what every filter but the figure that is pressed leaves, as far as it has not ended. */
export function selectViews({ events, conflicts, later = [] }: BoardData, address: Address, nowMs = 0): Selection {
  const select = (list: readonly BoardEvent[]) =>
    list
      .filter((event) => matchesText(event, address))
      .map((event) => viewEvent(event, address.position))
      .filter(({ lanes }) => address.position === null || lanes.length > 0);
  const matching = select(events).toSorted((a, b) => Number(isOver(a, nowMs)) - Number(isOver(b, nowMs)));
  const all = [...matching, ...select(later)];
  const shown = new Set(matching.map(({ event }) => event.uuid));
  const inSight = conflicts.filter(({ first, second }) =>
    [first, second].some(({ event }) => event !== null && shown.has(event.uuid)),
  );
  const clashing = new Set(inSight.flatMap(({ first, second }) => [first.event?.uuid, second.event?.uuid]));
  const { show } = address;
  return {
    views:
      show === null
        ? matching
        : (show === 'waiting' ? all : matching).filter((view) => matchesFigure(view, show, clashing, nowMs)),
    listed: all,
    figures: {
      coverage: sumCoverage(all.map((view) => countPending(view, nowMs))),
      clashes: inSight.length,
      events: matching.length,
    },
    conflicts: inSight,
  };
}

function matchesText({ title, venueName, city, client }: BoardEvent, address: Address): boolean {
  if (address.city !== null && city !== address.city) return false;
  if (address.client !== null && client?.name !== address.client) return false;
  const wanted = fold(address.text.trim());
  return wanted === '' || [title, venueName, city].some((text) => text && fold(text).includes(wanted));
}

/** Without accents, in lower case, with white space folded. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ');

function matchesFigure(view: EventView, show: Show, clashing: ReadonlySet<string | undefined>, nowMs: number): boolean {
  const coverage = countPending(view, nowMs);
  if (show === 'open') return coverage.open > 0;
  if (show === 'waiting') return coverage.waiting > 0;
  if (show === 'clashes') return clashing.has(view.event.uuid);
  return coverage.needed > 0 && coverage.open === 0;
}

/** The cities that occur, for the filter. */
export const listCities = (events: readonly BoardEvent[]): string[] =>
  [...new Set(events.flatMap(({ city }) => city || []))].sort((a, b) => a.localeCompare(b, 'en'));
