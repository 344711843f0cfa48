import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { limits } from '../../config/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { askOn, type AskStatus, writeAlone } from './outcomes.ts';
import type { Server } from './pool.ts';
import { currentRowBound, type RowBound, type SqlListener } from './statement-count.ts';

/** Sends one SQL statement, one that writes in a transaction of its own, and returns its rows. Its values are sent apart from its text. */
export type Read = <Row>(sql: Prisma.Sql) => Promise<Row[]>;

/** Makes the reads that go over one connection. Without `canPrepare`, its session is shared with other clients. */
export type ReadOn = (client: pg.ClientBase, canPrepare: boolean) => Read;

/** Whether a statement changes rows. One that begins with SELECT does not, unless it calls a function that does. */
export function isWrite(sql: string): boolean {
  return !/^\s*SELECT\b/i.test(sql) && /\b(?:INSERT INTO|DELETE FROM|MERGE INTO|(?<!FOR |KEY )UPDATE)\b/i.test(sql);
}

/** Reads outside any transaction, on a connection for each statement. */
export function readsOf(server: Server, readOn: ReadOn, ask: AskStatus = askOn(() => server.pool)): Read {
  return <Row>(sql: Prisma.Sql) => {
    const send = (client: pg.PoolClient, canPrepare: boolean) => readOn(client, canPrepare)<Row>(sql);
    return isWrite(sql.text) ? writeAlone(server, send, ask) : server.run(send);
  };
}

/** Runs reads in one snapshot, between which so much time may pass. */
export type ReadSnapshot = <T>(idleMs: number, run: (read: Read) => Promise<T>) => Promise<T>;

export function snapshotsOf(server: Server, readOn: ReadOn): ReadSnapshot {
  return (idleMs, run) =>
    server.transact({ begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' }, async (client, canPrepare) => {
      const readNext = readOn(client, canPrepare);
      const read = inOrder(async <Row>(sql: Prisma.Sql) => {
        server.resting.delete(client);
        return readNext<Row>(sql).finally(() => server.resting.add(client));
      });
      // SET takes no parameters; this statement also takes the snapshot.
      await read(Prisma.sql`SELECT set_config('idle_in_transaction_session_timeout', ${String(idleMs)}, TRUE)`);
      return run(read);
    });
}

/**
 * Sends the statements of one connection one after the other, whoever reads. Those that wait behind one that fails fail with it:
 * an export reads the page again with fewer rows, and their rows would count for that.
 */
export function inOrder(read: Read): Read {
  let last: Promise<unknown> = Promise.resolve();
  let failures = 0;
  return <Row>(sql: Prisma.Sql) => {
    const before = failures;
    const rows = last.then(() => {
      if (failures > before) throw new Error('A read before this one has failed.');
      return read<Row>(sql).catch((error: unknown) => {
        failures++;
        throw error;
      });
    });
    last = rows.catch(() => undefined);
    return rows;
  };
}

/**
 * Reads past Prisma, with the same values: src/guide/performance.md#reads-past-prisma
 * A statement that comes again is prepared once on each connection: src/guide/performance.md#prepared-statements
 */
export function createReadOn(nameOf: StatementNames, listener: SqlListener): ReadOn {
  return (client, canPrepare) =>
    async <Row>({ text, values }: Prisma.Sql): Promise<Row[]> => {
      const bound = currentRowBound();
      if (bound?.refusal) throw bound.refusal;
      const name = nameOf(text);
      const cells = bound && countCells(bound, client);
      listener.sent(text);
      const sentAt = performance.now();
      try {
        const { rows } = await send(client, {
          ...(canPrepare && name !== undefined && { name }),
          text,
          values: [...values],
          types: cells?.types ?? types,
        });
        cells?.end();
        bound?.noteRows?.(rows.length);
        return rows as Row[];
      } catch (error) {
        listener.failed?.(error);
        throw error;
      } finally {
        listener.answered(performance.now() - sentAt);
      }
    };
}

/** Asks by a callback: with pg's own promise, the rows of the first boards live long: src/guide/performance.md#the-first-boards */
const send = (client: pg.ClientBase, query: pg.QueryConfig): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => client.query(query, (error, result) => (error ? reject(error) : resolve(result))));

interface CellCount {
  readonly types: pg.CustomTypesConfig;
  /** Counts the last cells. */
  readonly end: () => void;
}

/**
 * Counts cells for the request as they arrive, some at once, before their rows are kept. The parser of a cell that is too many throws, so
 * that pg keeps no further row, and ends the connection, which stops the server. A transaction goes on: its next page can be smaller.
 * Performance notes: src/guide/performance.md#cells-counted-together
 */
function countCells(bound: RowBound, client: pg.ClientBase): CellCount {
  let cells = 0;
  let bytes = 0;
  const count = (): boolean => {
    const isTaken = bound.takeRow(bytes, cells);
    cells = bytes = 0;
    return isTaken;
  };
  const refusal = () => bound.refusal ?? new Error('The request may read no more rows.');
  const take = (cell: string) => {
    bytes += cell.length;
    if ((++cells < limits.cellsAtOnce && bytes < limits.answerStepBytes) || count()) return cell;
    if (client.getTransactionStatus() === 'I') void (client as pg.Client).end().catch(() => undefined);
    throw refusal();
  };
  const getCountingParser = (id: number, format?: 'text' | 'binary') => {
    if (texts.has(id)) return take;
    const parse = types.getTypeParser(id, format) as (cell: string) => unknown;
    return (cell: string) => parse(take(cell));
  };
  return {
    types: { getTypeParser: getCountingParser } as pg.CustomTypesConfig,
    end: () => {
      if (cells > 0 && !count()) throw refusal();
    },
  };
}

/** Returns the name by which a statement is prepared, if it is. */
export type StatementNames = (text: string) => string | undefined;

/** Names the statements that come again. Their number is bounded, because each connection keeps all of them. */
export function statementNames({ prepare }: { readonly prepare: boolean }): StatementNames {
  if (!prepare) return () => undefined;
  const names = new Map<string, string>();
  const seenOnce = new LRUCache<string, true>({ max: 4 * limits.preparedStatements });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= limits.preparedStatements) return known;
    if (isPlannedForItsValues(text) || text.length > limits.preparedStatementChars) return undefined;
    if (!seenOnce.delete(text)) return void seenOnce.set(text, true);
    const name = `callboard_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
    names.set(text, name);
    return name;
  };
}

const { builtins, getTypeParser } = pg.types;

/** Texts of these types are values already. */
const texts: ReadonlySet<number> = new Set([builtins.TEXT, builtins.VARCHAR, builtins.UUID]);

const parsers: Readonly<Record<number, (value: string) => unknown>> = {
  [builtins.INT8]: BigInt,
  [builtins.NUMERIC]: (value) => new Prisma.Decimal(value),
  [builtins.TIMESTAMPTZ]: readInstant,
  [builtins.TIMESTAMP]: (value) => new Date(`${value.replace(' ', 'T')}Z`),
};

/** Date itself reads what a session in UTC prints from the year 1000 on; pg's reader takes twice the time and much garbage. */
function readInstant(value: string): Date | number | null {
  if (value.endsWith('+00') && !value.startsWith('0')) return new Date(value);
  return (getTypeParser(builtins.TIMESTAMPTZ) as (value: string) => Date | number | null)(value);
}

/** Reads cells as Prisma does. */
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[id]) || (getTypeParser(id, format) as (value: string) => unknown),
} as pg.CustomTypesConfig;

/** The mark of a statement whose best plan depends on its values. */
const mark = '/* planned for its values */';

/**
 * Has PostgreSQL plan a statement each time it is sent. It plans a prepared one for values that it does not know, and then
 * expects few rows wherever many conditions meet: src/guide/performance.md#planned-for-its-values
 */
export function plannedForItsValues(sql: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(mark)} ${sql}`;
}

const isPlannedForItsValues = (text: string): boolean => text.startsWith(mark);
