import { setTimeout } from 'node:timers/promises';
import type { Assignment, CallTimeRow, Outcome, Person } from './assignment.ts';
import { mustReadAgain, placesOf, type ChangedEvents } from './lists.ts';
import type { Session } from './session.ts';

/* What every client library has to do without help: scroll a list to its end, show a board, and assign people to it. */

export type EventStatus = 'ACTIVE' | 'DRAFT';

export interface EventRow {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly start: { readonly utc: string | null } | null;
}

/** A list with infinite scroll, as the client's cache has it now. */
export interface EventList {
  rows(): readonly EventRow[];
  /** Reads the next page. False if there is none. */
  loadMore(): Promise<boolean>;
}

/** An event with its call times and shifts, as the client's cache has it now. */
export interface Board<Row extends CallTimeRow> {
  callTimes(): readonly Row[];
  /** Calls the listener after each change, until the function that it returns is called. */
  onChange(listener: () => void): () => void;
  /** Reads the event again. */
  refresh(): Promise<void>;
}

export interface Dashboard<Row extends CallTimeRow, Someone extends Person> {
  openList(statuses: EventStatus[], first: number): Promise<EventList>;
  rename(id: string, title: string): Promise<void>;
  openBoard(id: string): Promise<Board<Row>>;
  findFree(callTimeId: string): Promise<Someone>;
  assign(assignment: Assignment<Row, Someone>): Promise<Outcome>;
  cancel(shiftId: string): Promise<void>;
  /** Follows what changes at events, until the function that it returns is called. */
  follow(onPage: (page: ChangedEvents) => void): () => void;
  /** Reads objects by their ids, through a fragment on the interface `Node`. */
  readNodes(ids: string[]): Promise<readonly ({ readonly id: string } | null)[]>;
}

/** What one call time shows. */
const shown = (row: CallTimeRow | undefined) => ({
  people: row?.workShifts?.map(({ firstName, lastName }) => `${firstName} ${lastName}`),
  unsaved: row?.workShifts?.filter(({ id }) => id === 'unsaved').length,
  open: row?.coverage?.open,
});

/** Takes the tour, and prints what the cache showed at each step as JSON. */
export async function takeTour<Row extends CallTimeRow, Someone extends Person>(
  session: Session,
  dashboard: Dashboard<Row, Someone>,
  eventId: string,
): Promise<void> {
  const list = await dashboard.openList(['ACTIVE'], 10);
  let pages = 1;
  while (pages < 20 && (await list.loadMore())) {
    await settle();
    pages++;
  }
  const ids = list.rows().map(({ id }) => id);
  const drafts = await dashboard.openList(['DRAFT'], 2);

  const requestsBefore = session.sent();
  const board = await dashboard.openBoard(eventId);
  const boardRequests = session.sent() - requestsBefore;
  const opened = board.callTimes();

  const renaming = session.sent();
  await dashboard.rename(eventId, 'Renamed');
  await settle();
  const renamed = { requests: session.sent() - renaming, title: list.rows().find(({ id }) => id === eventId)?.title };

  /** Everything that the first call time shows from the click to the answer, and the outcome. */
  async function watch(work: () => Promise<Outcome>) {
    const frames: object[] = [];
    const answers = session.answered();
    const look = () => {
      const frame = { answered: session.answered() > answers, ...shown(board.callTimes()[0]) };
      if (JSON.stringify(frame) !== JSON.stringify(frames.at(-1))) frames.push(frame);
    };
    look();
    const stop = board.onChange(look);
    const outcome = await work();
    await settle();
    stop();
    look();
    return { frames, ...outcome };
  }

  /** Somebody else renames an event, which the list shows without reading again, creates one, and moves one out of the list. */
  async function followOthers() {
    let onPage: (page: ChangedEvents) => void = () => {};
    const places = placesOf(list.rows());
    const mustReadAfter = async (work: () => unknown) => {
      const page = new Promise<ChangedEvents>((resolve) => (onPage = resolve));
      await work();
      return mustReadAgain(await page, places);
    };
    let stop = () => {};
    const started = await mustReadAfter(() => (stop = dashboard.follow((page) => onPage(page))));
    const requests = session.sent();
    const renamed = await mustReadAfter(() => session.changeElsewhere(eventId, { title: 'Renamed elsewhere' }));
    await settle();
    const shownThen = {
      requests: session.sent() - requests,
      title: list.rows().find(({ id }) => id === eventId)?.title,
    };
    const created = await mustReadAfter(() => session.createElsewhere('Made elsewhere'));
    const moved = await mustReadAfter(() => session.changeElsewhere(eventId, { status: 'DRAFT' }));
    stop();
    return { ...shownThen, readAgain: { started, renamed, created, moved } };
  }

  const [callTime] = opened;
  if (!callTime) throw new Error('The event has no call times.');
  const person = await dashboard.findFree(callTime.id);
  const now = () => board.callTimes()[0] ?? callTime;
  const assigned = await watch(() => dashboard.assign({ callTime: now(), person }));
  const refused = await watch(() => dashboard.assign({ callTime: now(), person }));
  const overridden = await watch(() => dashboard.assign({ callTime: now(), person, reason: 'Two hands are needed' }));
  const reasons = now().workShifts?.map(({ overrideReason }) => overrideReason);

  const canceling = session.sent();
  await dashboard.cancel(overridden.shift?.id ?? '');
  await settle();
  const canceled = { requests: session.sent() - canceling, ...shown(now()) };
  await board.refresh();
  await settle();

  const live = await followOthers();

  const tour = {
    ...{ pages, ids, drafts: drafts.rows().length, boardRequests, opened, renamed, person },
    ...{ assigned, refused, overridden, reasons, canceled },
    refreshed: shown(now()),
    nodes: await dashboard.readNodes([eventId, callTime.id]),
    idsAtTheEnd: list.rows().map(({ id }) => id),
    live,
    warnings: session.warnings,
  };
  process.stdout.write(`${JSON.stringify(tour)}\n`);
}

/** Lets the client library tell its subscribers what has changed, which it may do in a later turn of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setTimeout();
}
