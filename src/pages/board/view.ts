import type { Address, Show } from './address.ts';
import { buildAxis, buildLanes, sumCoverage, type Axis, type Coverage, type Lane } from './lanes.ts';
import type { BoardData, BoardEvent, Conflict } from './model.ts';

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

export interface Figures {
  readonly coverage: Coverage;
  readonly clashes: number;
  readonly events: number;
}

export interface Selection {
  readonly views: readonly EventView[];
  readonly figures: Figures;
  readonly conflicts: readonly Conflict[];
}

/** Applies the filters. The figures count what every filter but the figure that is pressed leaves. */
export function selectViews({ events, conflicts }: BoardData, address: Address): Selection {
  const matching = events
    .filter((event) => matchesText(event, address))
    .map((event) => viewEvent(event, address.position))
    .filter(({ lanes }) => address.position === null || lanes.length > 0);
  const shown = new Set(matching.map(({ event }) => event.uuid));
  const inSight = conflicts.filter(({ first, second }) =>
    [first, second].some(({ event }) => event !== null && shown.has(event.uuid)),
  );
  const clashing = new Set(inSight.flatMap(({ first, second }) => [first.event?.uuid, second.event?.uuid]));
  const { show } = address;
  return {
    views: show === null ? matching : matching.filter((view) => matchesFigure(view, show, clashing)),
    figures: {
      coverage: sumCoverage(matching.map(({ coverage }) => coverage)),
      clashes: inSight.length,
      events: matching.length,
    },
    conflicts: inSight,
  };
}

function matchesText({ title, venueName, city, client }: BoardEvent, address: Address): boolean {
  if (address.city !== null && city !== address.city) return false;
  if (address.client !== null && client?.name !== address.client) return false;
  const wanted = address.text.trim().toLowerCase();
  return wanted === '' || [title, venueName, city].some((text) => text?.toLowerCase().includes(wanted));
}

function matchesFigure({ event, coverage }: EventView, show: Show, clashing: ReadonlySet<string | undefined>): boolean {
  if (show === 'open') return coverage.open > 0;
  if (show === 'waiting') return coverage.waiting > 0;
  if (show === 'clashes') return clashing.has(event.uuid);
  return coverage.needed > 0 && coverage.open === 0;
}

/** Choices of the filters: the values that occur. */
export function listChoices(events: readonly BoardEvent[]) {
  const sorted = (texts: readonly (string | null | undefined)[]): string[] =>
    [...new Set(texts.filter((text) => typeof text === 'string' && text !== ''))].sort((a, b) =>
      a!.localeCompare(b!, 'en'),
    ) as string[];
  return {
    cities: sorted(events.map(({ city }) => city)),
    clients: sorted(events.map(({ client }) => client?.name)),
    positions: sorted(events.flatMap(({ callTimes }) => callTimes.map(({ position }) => position.title))),
  };
}
