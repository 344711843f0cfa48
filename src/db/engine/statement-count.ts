import { AsyncLocalStorage } from 'node:async_hooks';
import type { DiskWatch } from './disk-watch.ts';

/** How many SQL statements one request has sent so far. */
export interface StatementCount {
  statements: number;
  /** Bounds the rows that these statements read. */
  readonly answer?: RowBound;
}

export interface RowBound {
  /** Why the request may read no more rows; null as long as it may. */
  readonly refusal: Error | null;
  /** Counts cells before they are kept, with the length of their texts. False if they must not be kept. */
  takeRow(bytes: number, cells: number): boolean;
  /** Counts rows that were read. */
  noteRows?(count: number): void;
  /** Whether there is memory for a large answer to this caller now. */
  hasRoom?(): boolean;
  /** Forgets what was counted so far, because a new answer to the same request begins. */
  restart?(): void;
}

const storage = new AsyncLocalStorage<StatementCount>();

/** Adds the statements that `run` sends, now or later, to this count. Concurrent requests have counts of their own. */
export function countStatementsOn<T>(count: StatementCount, run: () => T): T {
  return storage.run(count, run);
}

/** Runs a function whose statements are added to no request's count. */
export function withoutCounting<T>(run: () => T): T {
  return storage.exit(run);
}

/** The bound of the request that runs; undefined outside a request. */
export function currentRowBound(): RowBound | undefined {
  return storage.getStore()?.answer;
}

function countStatement(): void {
  const count = storage.getStore();
  if (count) count.statements++;
}

export interface SqlHooks {
  /** Called with every statement that `prisma` sends, in transactions too. */
  readonly onSql?: (sql: string) => void;
  /** Called when a statement was answered, or failed. */
  readonly onSqlAnswered?: (durationMs: number) => void;
}

/** Is called for each statement that is sent. */
export interface SqlListener {
  sent(sql: string): void;
  /** The statement was answered, or failed. */
  answered(durationMs: number): void;
  failed?(error: unknown): void;
  /** The rows of a statement were read through an adapter. May throw, which fails the statement. */
  read?(rows: readonly (readonly unknown[])[]): void;
}

/** Makes the listener that counts each statement for its request, and passes it to the hooks and to the disk watch. */
export function listenerFor({ onSql, onSqlAnswered }: SqlHooks, { failed }: Pick<DiskWatch, 'failed'>): SqlListener {
  return {
    sent: (sql) => {
      countStatement();
      onSql?.(sql);
    },
    answered: (durationMs) => onSqlAnswered?.(durationMs),
    failed,
    read: takeRows,
  };
}

/** Counts rows that come through Prisma, which has no place to count them as they arrive. Throws if they are too many. */
function takeRows(rows: readonly (readonly unknown[])[]): void {
  const bound = currentRowBound();
  if (!bound) return;
  bound.noteRows?.(rows.length);
  for (const cells of rows) bound.takeRow(measureCells(cells), cells.length);
  if (bound.refusal) throw bound.refusal;
}

const measureCells = (cells: readonly unknown[]): number =>
  cells.reduce<number>((bytes, cell) => bytes + (typeof cell === 'string' ? cell.length : 0), 0);
