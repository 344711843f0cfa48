import { limits } from '../config/limits.ts';

/** A position in a list: directly behind the row with this sort value and id. */
export interface CursorPosition {
  readonly value: string;
  readonly id: number;
}

/** The order of a list that can be continued behind any of its rows. Rows with equal sort values are ordered by id. */
export interface CursorOrder<Row> {
  /** Name of the sort key. A cursor of another key or direction is refused. */
  readonly by: string;
  readonly direction: 'asc' | 'desc';
  readonly positionOf: (row: Row) => CursorPosition;
  /** Whether a text can be a sort value: cursors come from callers. */
  readonly isValue: (value: string) => boolean;
  /** Largest id of a row, where ids are longer than four bytes. */
  readonly idMax?: number;
}

/** Writes the opaque text that names a row's position. It holds values, so it stays valid while rows come and go. */
export function encodeCursor<Row>({ by, direction, positionOf }: CursorOrder<Row>, row: Row): string {
  const { value, id } = positionOf(row);
  return Buffer.from(JSON.stringify([by, direction, value, id])).toString('base64url');
}

/** Reads the position that a cursor names. Null if the text is no cursor, or a cursor of another order. */
export function decodeCursor<Row>(order: CursorOrder<Row>, cursor: string): CursorPosition | null {
  const parts = parseCursor(cursor);
  if (!Array.isArray(parts) || parts.length !== 4) return null;
  const [by, direction, value, id] = parts as unknown[];
  if (by !== order.by || direction !== order.direction) return null;
  if (typeof value !== 'string' || !order.isValue(value)) return null;
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 1 || id > (order.idMax ?? limits.int4Max)) return null;
  return { value, id };
}

/** Writes a cursor of a list without an order of its own: how many of its items come up to and with a row. */
export function encodePlace(place: number): string {
  return Buffer.from(JSON.stringify(['place', place])).toString('base64url');
}

/** Reads the number of items before the next page. Null if the text is no such cursor. */
export function decodePlace(cursor: string): number | null {
  const parts = parseCursor(cursor);
  if (!Array.isArray(parts) || parts.length !== 2) return null;
  const [kind, place] = parts as unknown[];
  if (kind !== 'place' || typeof place !== 'number') return null;
  return Number.isInteger(place) && place >= 1 && place <= limits.int4Max ? place : null;
}

function parseCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}
