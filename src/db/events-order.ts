import { limits } from '../config/limits.ts';
import type { EventRow } from '../fields/events.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { CursorOrder, CursorPosition } from '../paging/cursors.ts';
import { isInstant } from '../time/instants.ts';

export const eventSortKeys = ['start', 'title', 'created', 'modified'] as const;
type EventSortBy = (typeof eventSortKeys)[number];

/**
 * The order of a list of events: by a key, then by id in the same direction, so that no event appears twice or is
 * missing over the pages.
 */
export interface EventSort {
  readonly by: EventSortBy;
  readonly order: 'asc' | 'desc';
}

interface Key {
  readonly column: Prisma.Sql;
  readonly type: Prisma.Sql;
  /** The value of an event in the form that a cursor holds. */
  readonly valueOf: (event: EventRow) => string;
  readonly isValue: (value: string) => boolean;
}

const instant = (column: Prisma.Sql, at: (event: EventRow) => Date): Key => ({
  column,
  type: Prisma.sql`timestamptz`,
  valueOf: (event) => at(event).toISOString(),
  isValue: isInstant,
});

const keys: Record<EventSortBy, Key> = {
  start: instant(Prisma.sql`e.starts_at`, ({ startsAt }) => startsAt),
  title: {
    column: Prisma.sql`e.title`,
    type: Prisma.sql`text`,
    valueOf: ({ title }) => title,
    isValue: (value) => value.isWellFormed() && !value.includes('\0') && value.length <= 2 * limits.textChars,
  },
  created: instant(Prisma.sql`e.created_at`, ({ createdAt }) => createdAt),
  modified: instant(Prisma.sql`e.modified_at`, ({ modifiedAt }) => modifiedAt),
};

export function orderBy({ by, order }: EventSort): Prisma.Sql {
  const direction = order === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  return Prisma.sql`${keys[by].column} ${direction}, e.id ${direction}`;
}

/** An order read from its end. */
export const reverseOf = ({ by, order }: EventSort): EventSort => ({ by, order: order === 'asc' ? 'desc' : 'asc' });

/** Builds the condition that an event comes after a position in the order. */
export function behind({ by, order }: EventSort, { value, id }: CursorPosition): Prisma.Sql {
  const { column, type } = keys[by];
  const beyond = order === 'asc' ? Prisma.sql`>` : Prisma.sql`<`;
  return Prisma.sql`(${column}, e.id) ${beyond} (${value}::${type}, ${id}::int)`;
}

export function eventCursorOrder({ by, order }: EventSort): CursorOrder<EventRow> {
  const { valueOf, isValue } = keys[by];
  return { by, direction: order, positionOf: (event) => ({ value: valueOf(event), id: event.id }), isValue };
}
