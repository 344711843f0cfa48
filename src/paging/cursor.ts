import { limits } from '../config/limits.ts';

/** Where a list goes on: behind the row of this value and id. */
export interface CursorPosition {
  readonly value: string;
  readonly id: number;
}

/** What a list is sorted by; a cursor of another order means nothing in this one. */
export interface Order {
  readonly by: string;
  readonly order: 'asc' | 'desc';
}

/** An opaque text for a row's place in an order. It names values, not rows: it holds while rows come and go. */
export const encodeCursor = ({ by, order }: Order, { value, id }: CursorPosition): string =>
  Buffer.from(JSON.stringify([by, order, value, id])).toString('base64url');

/** The place that a cursor names in this order; null for one of another order, or for no cursor at all. */
export function decodeCursor({ by, order }: Order, cursor: string): CursorPosition | null {
  const parts = parsed(cursor);
  if (!Array.isArray(parts) || parts.length !== 4) return null;
  const [itsBy, itsOrder, value, id] = parts as unknown[];
  const isPlace = typeof value === 'string' && Number.isInteger(id) && Number(id) > 0 && Number(id) <= limits.int4Max;
  return itsBy === by && itsOrder === order && isPlace ? { value, id: id as number } : null;
}

/** Whether a cursor's value is an instant. */
export const isInstant = (value: string): boolean => {
  const at = new Date(value);
  return /^\d{4}-/.test(value) && !Number.isNaN(at.getTime()) && at.toISOString() === value;
};

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}
