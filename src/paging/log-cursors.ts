import type { LogPosition } from '../db/change-log.ts';

/*
 * Cursors of the change log. A cursor names no business, because the position of another business is not in the log of this
 * one: it is answered like one that has expired.
 */

/** Writes the opaque text that names a position in the change log. */
export function encodeLogCursor({ revision, changeId }: LogPosition): string {
  return Buffer.from(changeId === null ? `log:${revision}` : `log:${revision}.${changeId}`).toString('base64url');
}

/** Reads the position that a cursor names. Null if the text is no such cursor. */
export function decodeLogCursor(cursor: string): LogPosition | null {
  const [, revision, changeId] =
    /^log:(\d{1,18})(?:\.(\d{1,18}))?$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return revision === undefined
    ? null
    : { revision: BigInt(revision), changeId: changeId === undefined ? null : BigInt(changeId) };
}
