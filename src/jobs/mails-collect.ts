import type { MailSecrets } from '../access/mail-secrets.ts';
import { limits } from '../config/limits.ts';
import { readLogAfter, readLogEnd, type LoggedChange, type LogPage } from '../db/change-log.ts';
import {
  beginMailCursor,
  findDueReminders,
  lockMailCursor,
  setMailCursor,
  storeMails,
  type NewMail,
} from '../db/mails.ts';
import type { LoggedTable } from '../db/registry.ts';
import type { TenantDb, Transact } from '../db/tenant.ts';
import type { SwapState } from '../generated/prisma/enums.ts';
import { whereColumns } from './mails-write.ts';

/** Columns whose changes the people of shifts are told: each is shown in the mail. */
const toldColumns: { readonly [T in LoggedTable]?: readonly string[] } = {
  work_shifts: ['user_id', 'status', 'start_local', 'end_local', 'position_id', 'event_id'],
  events: ['status', 'timezone', ...Object.keys(whereColumns)],
};

/** Whether a state of a swap is told to the person who asks, and to the one who is asked or took it. */
const toldOfSwap: { readonly [S in SwapState]?: readonly [from: boolean, to: boolean] } = {
  requested: [false, true],
  taken: [true, false],
  done: [true, true],
  refused: [true, true],
};

/** Makes mails of changed rows of a table. */
type Teller = (db: TenantDb, changes: readonly LoggedChange[], secrets: MailSecrets) => Promise<NewMail[]>;

/** The tables whose changes are told by mail. */
const tellers: { readonly [T in LoggedTable]?: Teller } = {
  offer_recipients: async (db, changes, secrets) => {
    // The last state of each part: a claim is answered in the transaction that makes it.
    const last = new Map(changes.flatMap((change) => (change.after?.['state'] ? [[change.rowId, change]] : [])));
    const parts = await db.offerRecipient.findMany({
      where: { id: { in: [...last.keys()] } },
      select: { id: true, userId: true },
    });
    return parts.flatMap(({ id, userId }) => {
      const { after, revision } = last.get(id)!;
      const state = after!['state'];
      if (state !== 'sent' && state !== 'refused') return [];
      const { uuid, secretHash } = secrets.make();
      const link = state === 'sent' && { uuid, secretHash };
      return [{ userId, kind: 'offer', subjectId: id, occasion: `${state} ${revision}`, ...link }];
    });
  },
  shift_swaps: async (db, changes) => {
    // The last state of each swap: one that nobody has to approve is taken and done in one transaction.
    const last = new Map(changes.flatMap((change) => (change.after?.['state'] ? [[change.rowId, change]] : [])));
    const swaps = await db.shiftSwap.findMany({
      where: { id: { in: [...last.keys()] } },
      select: { id: true, fromUserId: true, toUserId: true },
    });
    return swaps.flatMap(({ id, fromUserId, toUserId }) => {
      const { after, revision, actorKind, actorId } = last.get(id)!;
      const state = after!['state'] as SwapState;
      return [fromUserId, toUserId].flatMap((userId, index): NewMail[] =>
        userId === null || !toldOfSwap[state]?.[index] || (actorKind === 'user' && actorId === userId)
          ? []
          : [{ userId, kind: 'swap', subjectId: id, occasion: `${state} ${revision}` }],
      );
    });
  },
};

/** Tells people of the shifts that they get, lose or have. Of what happens to a shift of theirs in one page, the first tells all. */
async function tellOfShifts(db: TenantDb, { changes, end }: LogPage): Promise<NewMail[]> {
  const told = changes.filter(
    ({ table, change, after, operation }) =>
      (toldColumns[table] ?? []).some((column) => column in (after ?? {})) &&
      // The mail about the swap tells it.
      !(table === 'work_shifts' && change === 'update' && operation?.startsWith('swaps.')),
  );
  if (told.length === 0) return [];
  const idsIn = (of: LoggedTable) => told.flatMap(({ table, rowId }) => (table === of ? [rowId] : []));
  const shifts = await db.workShift.findMany({
    where: { OR: [{ id: { in: idsIn('work_shifts') } }, { eventId: { in: idsIn('events') } }] },
    select: { id: true, userId: true, eventId: true, status: true },
  });
  const former = told.map(({ before }) => Number(before?.['event_id'] ?? 0));
  const events = await db.event.findMany({
    where: { id: { in: [...former, ...shifts.map(({ eventId }) => eventId)] } },
    select: { id: true, status: true },
  });
  const statuses = new Map(events.map(({ id, status }) => [id, status]));
  // The rows may have later changes already: the log that is read after them tells which, so that they can be taken back.
  const later = await readLogAfter(db, end, { limit: limits.pageRows, tables: ['work_shifts', 'events'] });
  const ofRow = new Map<string, { readonly at: number; readonly change: LoggedChange }[]>();
  for (const [at, change] of [...changes, ...(later?.changes ?? [])].entries()) {
    const key = `${change.table} ${change.rowId}`;
    ofRow.set(key, [...(ofRow.get(key) ?? []), { at, change }]);
  }
  /** Finds who held a shift that takes place before the change at an index of the page; null: nobody. */
  const holderBefore = (place: number, { id, userId, eventId, status }: (typeof shifts)[number]): number | null => {
    const before = (table: LoggedTable, rowId: number, column: string, now: unknown) => {
      const next = ofRow
        .get(`${table} ${rowId}`)
        ?.find(({ at, change }) => at >= place && (change.change === 'insert' || column in (change.before ?? {})));
      return next ? next.change.before?.[column] : now;
    };
    const of = (column: string, now: unknown) => before('work_shifts', id, column, now);
    const event = Number(of('event_id', eventId));
    const isHeld =
      of('status', status) === 'active' && before('events', event, 'status', statuses.get(event)) === 'active';
    return isHeld ? Number(of('user_id', userId)) : null;
  };
  const mails = changes.flatMap((change, place): NewMail[] => {
    if (!told.includes(change)) return [];
    const { table, rowId, revision, actorKind, actorId } = change;
    const concerned = shifts.filter(({ id, eventId }) => (table === 'events' ? eventId : id) === rowId);
    return concerned.flatMap((shift) => {
      const [from, to] = [holderBefore(place, shift), holderBefore(place + 1, shift)];
      const gone = from === to ? [] : [{ userId: from, what: 'lost' }];
      return [...gone, { userId: to, what: from === to ? 'changed' : 'new' }].flatMap(({ userId, what }): NewMail[] =>
        // Nobody is told what they did themselves.
        userId === null || (actorKind === 'user' && actorId === userId)
          ? []
          : [{ userId, kind: 'change', subjectId: shift.id, occasion: `${what} ${revision}` }],
      );
    });
  });
  const first = new Map(mails.toReversed().map((mail) => [`${mail.userId} ${mail.subjectId}`, mail]));
  return mails.filter((mail) => first.get(`${mail.userId} ${mail.subjectId}`) === mail);
}

const toldTables = [...Object.keys(tellers), ...Object.keys(toldColumns)] as LoggedTable[];

/**
 * Reads the change log on from the position of a business, and stores the mails that tell of it, in one transaction: each change
 * is told once, whoever is killed meanwhile. Where there is no position yet, or the log no longer has it, it begins at the end.
 */
export function storeMailsOfChanges(transact: Transact, secrets: MailSecrets, now: Date): Promise<void> {
  return transact(async (db) => {
    const position = await lockMailCursor(db);
    if (!position) {
      const end = await readLogEnd(db);
      // A business without any commit has nothing to tell.
      if (end.revision !== null) await beginMailCursor(db, end, now);
      return;
    }
    const page = await readLogAfter(db, position, { limit: limits.pageRows, tables: toldTables });
    if (page) {
      for (const [table, tell] of Object.entries(tellers)) {
        const changes = page.changes.filter((change) => change.table === table);
        if (changes.length > 0) await storeMails(db, await tell(db, changes, secrets), now);
      }
      await storeMails(db, await tellOfShifts(db, page), now);
    }
    await setMailCursor(db, page?.end ?? (await readLogEnd(db)));
  });
}

/** Stores the reminders that are due. Another process that does the same stores none of them again. */
export async function storeReminders(db: TenantDb, now: Date): Promise<void> {
  const due = await findDueReminders(db, now, limits.batchRows);
  await storeMails(
    db,
    due.map((mail) => ({ ...mail, kind: 'reminder' })),
    now,
  );
}
