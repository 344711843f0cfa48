import { createHash } from 'node:crypto';
import pg from 'pg';
import { limits } from '../../config/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { rememberLastInstant } from '../../time/instant-memo.ts';
import { isBriefRead } from '../brief-reads.ts';
import { isPlannedForItsValues } from '../planning.ts';
import { createBriefReads } from './brief-queries.ts';
import { NamedQuery } from './named-query.ts';
import type { SharedPool } from './shared-pool.ts';
import { currentRowBound } from './statement-count.ts';
import type { SqlListener } from './statements.ts';

/** Sends one SQL statement outside any transaction and returns its rows. Its values are sent apart from its text. */
export type Read = <Row>(sql: Prisma.Sql) => Promise<Row[]>;

/**
 * Reads through the pool instead of Prisma, with the same values: src/guide/performance.md#reads-past-prisma
 * A statement that comes again is prepared once on each connection: src/guide/performance.md#prepared-statements
 */
export function readsOf(pool: SharedPool, prepare: boolean, listener: SqlListener): Read {
  const queryBriefly = createBriefReads(pool);
  return createReads(
    prepare,
    listener,
  )((query, isBrief) =>
    !isNamed(query)
      ? pool.query(query)
      : isBrief
        ? queryBriefly(new NamedQuery(query))
        : pool.query(asQuery(new NamedQuery(query))),
  );
}

/** A statement as it is sent. Without a name, it is not prepared. */
export interface Statement extends pg.QueryConfig {
  readonly name: string | undefined;
  readonly values: unknown[];
}

type Send = (statement: Statement, isBrief: boolean) => Promise<pg.QueryResult>;

/** Makes reads that send their statements in different ways and share their names. */
export function createReads(prepare: boolean, listener: SqlListener): (send: Send) => Read {
  const nameOf = prepare ? statementNames() : () => undefined;
  return (send) =>
    async <Row>(sql: Prisma.Sql): Promise<Row[]> => {
      const refusal = currentRowBound()?.refusal;
      if (refusal) throw refusal;
      const { text, values } = sql;
      const name = nameOf(text);
      listener.sent(text);
      const sentAt = performance.now();
      try {
        const { rows } = await send({ name, text, values: [...values], types }, isBriefRead(sql));
        return rows as Row[];
      } catch (error) {
        listener.failed?.(error);
        throw error;
      } finally {
        listener.answered(performance.now() - sentAt);
      }
    };
}

const isNamed = (query: Statement): query is Statement & { name: string } => query.name !== undefined;

/** A pool accepts both at run time, and answers both alike. */
const asQuery = (query: NamedQuery) => query as unknown as pg.QueryConfig;

/** Names the statements that come again. Their number is bounded, because each connection keeps all of them. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string | null>();
  let named = 0;
  return (text) => {
    if (isPlannedForItsValues(text)) return undefined;
    const known = names.get(text);
    if (known) return known;
    if (named >= limits.preparedStatements) return undefined;
    if (known === null) {
      const name = `callboard_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
      names.set(text, name);
      named++;
      return name;
    }
    // Seen once. The number of these texts is bounded, too.
    if (names.size >= 4 * limits.preparedStatements) forgetUnnamed(names);
    names.set(text, null);
    return undefined;
  };
}

function forgetUnnamed(names: Map<string, string | null>): void {
  for (const [text, name] of names) if (name === null) names.delete(text);
}

const { builtins, getTypeParser } = pg.types;

/** Reads `2026-11-20 17:00:00.123+00`: the zone of the session is UTC. */
const readInstant = rememberLastInstant((value) => {
  const digits = (from: number, to: number) => {
    let number = 0;
    for (let index = from; index < to; index++) number = number * 10 + value.charCodeAt(index) - 48;
    return number;
  };
  // Only years of four digits with a time are read here; pg's own parser reads the rest.
  if (value.charCodeAt(0) === 48 || value.charCodeAt(4) !== 45 || value.charCodeAt(13) !== 58)
    return careful(value) as Date;
  const fraction = value.charCodeAt(19) === 46 ? Number(`0${/^\.\d+/.exec(value.slice(19, 26))?.[0]}`) * 1000 : 0;
  return new Date(
    Date.UTC(
      digits(0, 4),
      digits(5, 7) - 1,
      digits(8, 10),
      digits(11, 13),
      digits(14, 16),
      digits(17, 19),
      Math.floor(fraction),
    ),
  );
});
const careful = getTypeParser(builtins.TIMESTAMPTZ);

const parsers: Readonly<Record<number, (value: string) => unknown>> = {
  [builtins.INT8]: BigInt,
  [builtins.NUMERIC]: (value) => new Prisma.Decimal(value),
  [builtins.TIMESTAMPTZ]: readInstant,
  [builtins.TIMESTAMP]: (value) => new Date(`${value.replace(' ', 'T')}Z`),
};

/** Reads cells as Prisma does. */
export const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[id]) || (getTypeParser(id, format) as (value: string) => unknown),
} as pg.CustomTypesConfig;
