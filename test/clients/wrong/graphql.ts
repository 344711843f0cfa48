import type { BoardQuery, CreateEventInput } from '../generated/graphql/graphql.ts';

/* Each line below names what the schema has not: a compiler that accepts one of them checks nothing. */

export const venue = (board: BoardQuery) => board.event?.stage;
export const rate = (board: BoardQuery): number | undefined => board.event?.labourCost?.planned;
export const input: CreateEventInput = { title: 'No times' };
