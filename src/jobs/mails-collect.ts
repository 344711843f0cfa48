import type { MailSecrets } from '../access/mail-secrets.ts';
import { limits } from '../config/limits.ts';
import { readLogAfter, readLogEnd, type LoggedChange } from '../db/change-log.ts';
import {
  beginMailCursor,
  findDueReminders,
  lockMailCursor,
  readShiftsToTell,
  setMailCursor,
  storeMails,
  type NewMail,
} from '../db/mails.ts';
import type { LoggedTable } from '../db/registry.ts';
import type { TenantDb, Transact } from '../db/tenant.ts';
import type { SwapState } from '../generated/prisma/enums.ts';

/** Columns of a shift, and of an event, whose changes its people are told. */
const toldOfShift = ['user_id', 'status', 'start_local', 'end_local', 'position_id', 'event_id'];
const toldOfEvent = ['status', 'venue_name', 'address', 'address_line_2', 'room', 'city', 'timezone'];

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
  work_shifts: async (db, changes) => {
    const told = changes.filter(
      ({ change, after, operation }) =>
        change !== 'delete' &&
        toldOfShift.some((column) => column in (after ?? {})) &&
        // The mail about the swap tells it.
        !(operation?.startsWith('swaps.') && change === 'update'),
    );
    const ids = told.map(({ rowId }) => rowId);
    const shifts = new Map((await readShiftsToTell(db, ids, [])).map((shift) => [shift.id, shift]));
    return told.flatMap(({ rowId, change, before, after, actorKind, actorId, revision }) => {
      const shift = shifts.get(rowId);
      if (!shift || shift.isDraft || (change === 'insert' && shift.status !== 'active')) return [];
      const isNew = change === 'insert' || 'user_id' in (after ?? {});
      const former = Number(before?.['user_id'] ?? 0);
      const tell = (userId: number, what: string): NewMail[] =>
        // Nobody is told what they did themselves.
        userId === 0 || (actorKind === 'user' && actorId === userId)
          ? []
          : [{ userId, kind: 'change', subjectId: rowId, occasion: `${what} ${revision}` }];
      return [...tell(shift.userId, isNew ? 'new' : 'changed'), ...tell(former, 'left')];
    });
  },
  events: async (db, changes) => {
    const told = changes.filter(
      ({ change, after }) => change === 'update' && toldOfEvent.some((column) => column in (after ?? {})),
    );
    const ofEvent = new Map(told.map((change) => [change.rowId, change]));
    const shifts = await readShiftsToTell(db, [], [...ofEvent.keys()]);
    return shifts.flatMap(({ id, userId, eventId, status, isDraft }) => {
      const { revision, before } = ofEvent.get(eventId)!;
      if (status !== 'active' || isDraft) return [];
      const what = before?.['status'] === 'draft' ? 'new' : 'changed';
      return [{ userId, kind: 'change', subjectId: id, occasion: `${what} ${revision}` }];
    });
  },
};

const toldTables = Object.keys(tellers) as LoggedTable[];

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
    if (page)
      for (const table of toldTables) {
        const changes = page.changes.filter((change) => change.table === table);
        if (changes.length > 0) await storeMails(db, await tellers[table]!(db, changes, secrets), now);
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
