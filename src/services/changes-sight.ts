import type { LoggedChange } from '../db/change-log.ts';
import { readEventPasts, readEventUuids, type EventPast } from '../db/changes.ts';
import type { TenantDb } from '../db/tenant.ts';
import type { ChangeOp } from '../fields/change-kinds.ts';
import { kindOf } from './changes-rows.ts';

/** The events, call times and shifts that a caller saw over the commits of some changes, as the log tells. */
export interface Sight {
  /** By the id of the event. */
  readonly uuids: ReadonlyMap<number, string>;
  /** Events that may have come into sight: if the caller sees one now, all its rows are listed. */
  readonly appeared: ReadonlySet<number>;
  /** Rows that the caller saw and lost, by `<kind> <id>`. Without an entry, a row was never theirs. Null: all rows are theirs. */
  readonly lost: ReadonlyMap<string, ChangeOp> | null;
}

/** Reads what a caller saw of these events before and after each commit of the changes. */
export async function readSight(
  db: TenantDb,
  changes: readonly LoggedChange[],
  eventIds: readonly number[],
): Promise<Sight> {
  const { $visibility } = db;
  if ($visibility.of !== 'staff' && $visibility.of !== 'client') {
    // The tombstone of an event stood for its rows, so all are listed when it is restored.
    const restored = changes.filter(({ table, before }) => table === 'events' && before?.['status'] === 'deleted');
    return {
      uuids: await readEventUuids(db, eventIds),
      appeared: new Set(restored.map(({ rowId }) => rowId)),
      lost: $visibility.of === 'business' ? null : new Map(),
    };
  }
  const { userId } = $visibility;
  const events = eventIds.length === 0 ? [] : await readEventPasts(db, eventIds, changes[0]!.revision, userId);
  const pasts = events.map((event) => new Past(event, $visibility.of === 'staff', userId));
  const last = Number(changes.at(-1)!.revision);
  for (const past of pasts) past.lookBack(last);
  return {
    uuids: new Map(events.map(({ id, uuid }) => [id, uuid])),
    appeared: new Set(pasts.flatMap(({ event, wasHidden }) => (wasHidden ? event.id : []))),
    lost: new Map(pasts.flatMap(({ lost }) => [...lost].flatMap(([key, op]) => (op === null ? [] : [[key, op]])))),
  };
}

/** Values of a row that decide who sees it; null while the row does not exist. */
type Values = Readonly<Record<string, unknown>> | null;

const isGone = (values: Values | undefined): boolean => !values || values['status'] === 'deleted';

/**
 * One event with its rows, as it was at earlier moments: changes are undone from now on backwards, and after each commit its rows
 * are observed. The conditions are those of `visibleEvents`, `visibleCallTimes` and `visibleShifts`, on earlier values.
 */
class Past {
  wasHidden = false;
  /** How each row that was seen was lost; null: it was still seen at the end. */
  readonly lost = new Map<string, ChangeOp | null>();
  private readonly rows = new Map<string, Values>();
  private readonly own = new Set<string>();
  private readonly wasGoneAfter = new Map<string, boolean>();
  private isSeen: boolean | null = null;

  constructor(
    readonly event: EventPast,
    private readonly isStaff: boolean,
    private readonly userId: number,
  ) {
    const { id, status, clientId, shifts, changes } = event;
    this.set(`event ${id}`, { status, client_id: clientId });
    for (const shift of shifts) this.set(`workShift ${shift.id}`, { user_id: shift.userId, status: shift.status });
    for (const { table, rowId, change } of changes.toReversed())
      if (table === 'call_times') this.set(`callTime ${rowId}`, change === 'delete' ? null : {});
  }

  /** Observes the rows as they were after the last commit, and after and before all commits that came earlier. */
  lookBack(last: number): void {
    let changed = new Set(this.rows.keys());
    let observed: number | null = null;
    for (const { revision, table, rowId, change, before } of this.event.changes) {
      if (revision <= last && revision !== observed) {
        this.observe(changed);
        observed = revision;
        changed = new Set();
      }
      const key = `${kindOf(table)} ${rowId}`;
      this.set(key, change === 'insert' ? null : { ...this.rows.get(key), ...before });
      if (observed !== null) changed.add(key);
    }
    this.observe(changed);
  }

  private set(key: string, values: Values): void {
    this.rows.set(key, values);
    if (this.isStaff && this.isOwn(values)) this.own.add(key);
    else this.own.delete(key);
  }

  private isOwn(values: Values | undefined): boolean {
    return values?.['user_id'] === this.userId && values['status'] !== 'deleted';
  }

  /** Rows that did not change are seen as before, unless the event came into sight or left it. */
  private observe(changed: ReadonlySet<string>): void {
    const event = this.rows.get(`event ${this.event.id}`);
    const isShown = event?.['status'] === 'active' || event?.['status'] === 'canceled';
    const isSeen = isShown && (this.isStaff ? this.own.size > 0 : event['client_id'] === this.userId);
    for (const key of isSeen === this.isSeen ? changed : this.rows.keys()) {
      const values = this.rows.get(key);
      if (isSeen && this.isRowSeen(key, values) && !this.lost.has(key)) {
        const wasGone = this.wasGoneAfter.get(key);
        this.lost.set(key, wasGone === undefined ? null : wasGone ? 'deleted' : 'left');
      }
      this.wasGoneAfter.set(key, isGone(values));
    }
    this.isSeen = isSeen;
    this.wasHidden ||= !isSeen;
  }

  /** Whether a row of the event is seen while the event is. */
  private isRowSeen(key: string, values: Values | undefined): boolean {
    if (!key.startsWith('workShift ')) return Boolean(values);
    return this.isStaff ? this.isOwn(values) : values?.['status'] === 'active';
  }
}
