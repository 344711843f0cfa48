import { Prisma } from '../generated/prisma/client.ts';
import type { PageWindow } from '../paging/pages.ts';

/** How the rows of a window are ordered in a list of an order, and how those behind its position compare with it. */
export function directionOf({ isReverse = false }: PageWindow, order: 'asc' | 'desc') {
  return (order === 'asc') === isReverse
    ? { direction: Prisma.sql`DESC`, beyond: Prisma.sql`<` }
    : { direction: Prisma.sql`ASC`, beyond: Prisma.sql`>` };
}
