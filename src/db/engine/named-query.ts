import pg from 'pg';
import type { Connection, MakeRow, RowShape } from './connection.ts';
import { compileRowMaker } from './row-maker.ts';

/** Internals of pg's query. */
interface Inner {
  name: string;
  readonly text: string;
  /** Called once, with the failure or the result. */
  callback: QueryCallback | undefined;
  readonly _result: Omit<RowShape, 'makeRow'> & { readonly rows: object[] };
  _accumulateRows: boolean;
  /** What the callback gets at the end: a row could not be read. */
  _canceledDueToError: unknown;
  handleRowDescription(description: unknown): void;
  handleDataRow(row: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  submit(connection: Connection): Error | null;
}

export type QueryCallback = (error: Error | null, result?: pg.QueryResult) => void;

type Config = pg.QueryConfig & { readonly name: string };

/**
 * A prepared statement for a RowsClient, or one without a name. Its rows are described only once on each connection, which is safe: PostgreSQL refuses to
 * run a prepared statement whose rows have changed. Performance notes: src/guide/performance.md#prepared-statements
 */
export class NamedQuery extends (pg.Query as unknown as new (config: Config) => Inner) {
  #connection: Connection | null = null;
  #makeRow: MakeRow | null = null;
  hasFailed = false;

  override submit(connection: Connection): Error | null {
    // A session that other clients use as well may not know the name, or know it already.
    if (connection.isShared) this.name = '';
    if (this.name === '') return super.submit(connection);
    this.#connection = connection;
    const shape = connection.shapes.get(this.name);
    if (!shape) return super.submit(connection);
    const { makeRow, ...described } = shape;
    Object.assign(this._result, described);
    this.#makeRow = makeRow;
    this._accumulateRows = true;
    return super.submit(connection.brief);
  }

  override handleRowDescription(description: unknown): void {
    super.handleRowDescription(description);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (!this.#connection) return;
    const makeRow = (this.#makeRow = compileRowMaker(fields, _parsers));
    this.#connection.shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject, makeRow });
  }

  override handleDataRow(row: { readonly fields: readonly (string | null)[] }): void {
    if (!this.#makeRow) {
      super.handleDataRow(row);
      return;
    }
    if (this._canceledDueToError) return;
    try {
      this._result.rows.push(this.#makeRow(row.fields));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }

  override handleError(error: Error, connection: Connection): void {
    this.hasFailed = true;
    super.handleError(error, connection);
  }
}
