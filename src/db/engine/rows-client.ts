import pg from 'pg';
import { DataRowMessage, type BackendMessage } from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';
import type { Connection } from './connection.ts';
import { collectorOf } from './query-batch.ts';
import { startupParameters } from './session-settings.ts';
import { isReplyToSettings } from './shared-session.ts';
import { currentRowBound, type RowBound } from './statement-count.ts';

const dataRow = 'D'.charCodeAt(0);
const isNull = -1;
const firstBeyondAscii = 0x80;

/** The message that pg uses for a query. */
const silent = 'Query read timeout';

/** A row that is dropped because the request has read too much. */
const dropped = new DataRowMessage(0, []) as BackendMessage;

/** Internals of pg-protocol's parser. */
interface Packets {
  readonly bufferOffset: number;
  readonly bufferLength: number;
  parse(chunk: Buffer, heard: (message: BackendMessage) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): BackendMessage;
}

/**
 * Cuts the cells of an answer from one text for each chunk that arrives; a cell that equals the one above it is the same string.
 * pg-protocol asks Node for a text for each cell. Performance notes: src/guide/performance.md#reads-past-prisma
 */
class RowParser extends (Parser as unknown as new () => Packets) {
  /** The chunk from the first row in it on, each byte a character; null: no row yet. */
  #text: string | null = null;
  #textFrom = 0;
  /** The row before, in the same chunk, and the bytes that each of its cells came from. */
  #above: (string | null)[] = [];
  #hasAbove = false;
  /** The cells of the current row. They are read before the next row comes, so both lists are used in turn. */
  #cells: (string | null)[] = [];
  readonly #row = new DataRowMessage(0, []) as { length: number; fields: (string | null)[] } & BackendMessage;
  readonly #aboveFrom: number[] = [];
  readonly #aboveSize: number[] = [];
  /** Bound of the request whose statement is answered. */
  bound: RowBound | undefined;

  override parse(chunk: Buffer, heard: (message: BackendMessage) => void): void {
    try {
      super.parse(chunk, heard);
    } finally {
      this.#text = null;
      this.#hasAbove = false;
      this.#above.length = this.#cells.length = this.#row.fields.length = 0;
    }
  }

  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): BackendMessage {
    if (code !== dataRow) return super.handlePacket(offset, code, length, bytes);
    const count = bytes.readUInt16BE(offset);
    if (this.bound?.takeRow(length, count) === false) return dropped;
    if (this.#text === null) {
      this.#text = bytes.toString('latin1', offset, this.bufferOffset + this.bufferLength);
      this.#textFrom = offset;
    }
    const cells = this.#cells;
    if (cells.length !== count) cells.length = count;
    let at = offset + 2;
    for (let column = 0; column < count; column++) {
      const size = bytes.readInt32BE(at);
      const from = at + 4;
      at = size === isNull ? from : from + size;
      cells[column] = size === isNull ? null : this.#cell(column, bytes, from, at);
      this.#aboveFrom[column] = from;
      this.#aboveSize[column] = size;
    }
    this.#cells = this.#above;
    this.#above = cells;
    this.#hasAbove = true;
    this.#row.length = length;
    this.#row.fields = cells;
    return this.#row;
  }

  #cell(column: number, bytes: Buffer, from: number, to: number): string {
    const above = this.#hasAbove ? (this.#above[column] ?? null) : null;
    const isAsAbove =
      above !== null && this.#aboveSize[column] === to - from && isSame(bytes, this.#aboveFrom[column] ?? 0, from, to);
    if (isAsAbove) return above;
    return isAscii(bytes, from, to) && this.#text !== null
      ? this.#text.substring(from - this.#textFrom, to - this.#textFrom)
      : bytes.toString('utf8', from, to);
  }
}

/** Most cells are short: Node is not asked. */
function isAscii(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] ?? 0) >= firstBeyondAscii) return false;
  return true;
}

function isSame(bytes: Buffer, other: number, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== bytes[other + at - from]) return false;
  return true;
}

export interface RowsClientConfig extends pg.ClientConfig {
  /** The connection is closed if the server is silent for this long while an answer is awaited. */
  readonly silenceMs?: number;
}

/**
 * pg's client with the parser above. One timer for each connection watches for a silent server; pg itself sets one for each
 * query. It keeps no more rows than the request may read: then it closes the connection, which stops the server, or within a
 * transaction drops the rest, so that the transaction can go on.
 */
export class RowsClient extends pg.Client {
  constructor({ silenceMs = 0, ...config }: RowsClientConfig = {}) {
    super(config);
    const { connection } = this as unknown as { connection: Connection };
    const isAwaited = () => !(this as unknown as { readyForQuery: boolean }).readyForQuery;
    connection.isShared = false;
    connection.unheard = 0;
    let parser = new RowParser();
    connection.shapes = new Map();
    connection.brief = briefOf(connection);
    connection.collector = collectorOf(connection);
    // Replaces pg's method, which pg calls for the plain socket and for that of TLS.
    connection.attachListeners = (stream) => {
      const own = (parser = new RowParser());
      const tell = (message: BackendMessage) => {
        if (message === dropped) {
          if (this.getTransactionStatus() !== 'T') stream.destroy(own.bound?.refusal ?? undefined);
        } else if (!isReplyToSettings(connection, message))
          connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
      };
      stream.on('data', (chunk: Buffer) => own.parse(chunk, tell));
      stream.setTimeout(silenceMs, () => isAwaited() && stream.destroy(new Error(silent)));
    };
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    Object.assign(this, {
      query: (...args: unknown[]) => {
        parser.bound = currentRowBound();
        return query(...args);
      },
    });
  }

  /** Replaces pg's method. */
  getStartupConf(): Record<string, string> {
    const { getStartupConf } = pg.Client.prototype as unknown as RowsClient;
    return { ...getStartupConf.call(this), ...startupParameters };
  }
}

/** Collects the messages of a statement and sends them together: each write costs a system call. */
function briefOf(connection: Connection): Connection {
  const messages: Buffer[] = [];
  const own: Partial<Connection> = {
    describe: () => undefined,
    _send: (message) => void messages.push(message),
    sync: () => {
      connection.sync.call(brief);
      connection._send(Buffer.concat(messages.splice(0)));
    },
  };
  const brief = Object.assign(Object.create(connection) as Connection, own);
  return brief;
}
