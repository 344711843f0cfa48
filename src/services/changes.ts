import Type from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { commonRead } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { readLogAfter, readLogEnd, type LogPosition } from '../db/change-log.ts';
import { readEventId, readVisibleEventIds } from '../db/changes.ts';
import { kindsByTable, type LoggedTable } from '../db/registry.ts';
import { cursorExpired, invalid, notFound } from '../errors.ts';
import { changeKindNames, type ChangeKind } from '../fields/change-kinds.ts';
import { closedObject, oneOf, optionalFields, text, uuidOf } from '../validation/schemas.ts';
import { followsSight, toChangedRows, type ChangedRow } from './changes-entries.ts';
import { kindOf } from './changes-rows.ts';
import { LiveItems } from './live.ts';

/** A page of changes. `nextCursor` names the position behind it, also where there is nothing yet. */
export interface ChangePage {
  readonly changes: readonly ChangedRow[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

export const changesInput = optionalFields({
  after: text(limits.tokenChars, {
    description: 'Cursor of an earlier answer. Without it, nothing is listed, and the cursor of now is given.',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: limits.pageRows,
    default: limits.perPageMax,
    description: 'How many entries of the change log are read for one answer.',
  }),
  kinds: Type.Array(oneOf(changeKindNames), {
    minItems: 1,
    maxItems: changeKindNames.length,
    description: 'Lists only rows of these kinds.',
  }),
  eventUuid: uuidOf('event', 'Lists only the event with this UUID and what belongs to it.'),
});

/** Reads the rows that changed behind a cursor, as they are now, and tombstones of those that are gone. */
export const list = operation({
  ...commonRead,
  name: 'changes.list',
  // Its cursors are compared with the log of the primary, which a replica may be ahead of.
  replica: 'never',
  input: changesInput,
  run: async (scope, { after, limit = limits.perPageMax, kinds, eventUuid }): Promise<ChangePage> => {
    const eventId = eventUuid === undefined ? undefined : await readEventId(scope.db, eventUuid);
    if (eventId === null) throw notFound('event');
    const page = after === undefined ? await startNow(scope) : await readPageAfter(scope, after, limit, kinds, eventId);
    if (eventId !== undefined && page.changes.every(({ kind }) => kind !== 'event'))
      await requireVisible(scope, eventId);
    return { ...page, changes: page.changes.filter(({ kind }) => kinds?.includes(kind) ?? true) };
  },
});

const { limit: _, ...followed } = changesInput.properties;
export const followedChanges = closedObject(followed);

/**
 * Follows what changes behind a cursor: first a page at once, even an empty one, because it names a cursor, and then a page for
 * each change. Streams of equal rights that are equally far share the reads.
 */
export const follow = variantOf(list, {
  input: followedChanges,
  run: async (scope, { after: start, ...filter }, capabilities) => {
    const ticks = capabilities.follow();
    let cursor = start;
    const readPage = async () => {
      const input = { ...filter, ...(cursor !== undefined && { after: cursor }) };
      const page = await ticks.share(JSON.stringify(input), () => list(scope, input));
      cursor = page.nextCursor;
      return page;
    };
    try {
      const first = await readPage();
      const readNext = async () => {
        const page = await readPage();
        return { item: page.changes.length > 0 ? page : null, hasMore: page.hasMore };
      };
      return new LiveItems<ChangePage>(ticks, { item: first, hasMore: first.hasMore }, readNext, true);
    } catch (error) {
      await ticks.return();
      throw error;
    }
  },
});

async function startNow({ db }: Scope): Promise<ChangePage> {
  return { changes: [], nextCursor: encodeLogCursor(await readLogEnd(db)), hasMore: false };
}

async function readPageAfter(
  scope: Scope,
  after: string,
  limit: number,
  kinds: readonly ChangeKind[] | undefined,
  eventId: number | undefined,
): Promise<ChangePage> {
  const tables = kinds && tablesOf(kinds);
  const page = await readLogAfter(scope.db, positionOf(after), {
    limit,
    ...(tables && { tables }),
    ...(eventId !== undefined && { eventId }),
  });
  if (!page) throw cursorExpired();
  return {
    changes: page.changes.length === 0 ? [] : await toChangedRows(scope, page.changes),
    nextCursor: encodeLogCursor(page.end),
    hasMore: page.hasMore,
  };
}

function positionOf(cursor: string): LogPosition {
  const position = decodeLogCursor(cursor);
  if (!position) throw invalid({ after: ['must be a cursor of an earlier answer'] });
  return position;
}

/** The tables with the changes of some kinds. Events and shifts decide who sees the rows of an event, so theirs are always read. */
function tablesOf(kinds: readonly ChangeKind[]): LoggedTable[] {
  const ofEvents = kinds.some((kind) => followsSight(kind) || kind === 'user');
  return ([...kindsByTable.keys()] as LoggedTable[]).filter(
    (table) => kinds.includes(kindOf(table)) || (ofEvents && (table === 'events' || table === 'work_shifts')),
  );
}

async function requireVisible({ db }: Scope, eventId: number): Promise<void> {
  const visible = await readVisibleEventIds(db, [eventId]);
  if (visible.length === 0) throw notFound('event');
}

/*
 * Cursors of the change log. A cursor names no business, because the position of another business is not in the log of this
 * one: it is answered like one that has expired.
 */

/** Writes the opaque text that names a position in the change log. */
function encodeLogCursor({ revision, changeId }: LogPosition): string {
  return Buffer.from(changeId === null ? `log:${revision}` : `log:${revision}.${changeId}`).toString('base64url');
}

/** Reads the position that a cursor names. Null if the text is no such cursor. */
function decodeLogCursor(cursor: string): LogPosition | null {
  const [, revision, changeId] =
    /^log:(\d{1,18})(?:\.(\d{1,18}))?$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return revision === undefined
    ? null
    : { revision: BigInt(revision), changeId: changeId === undefined ? null : BigInt(changeId) };
}
