import type { Socket } from 'node:net';
import pg from 'pg';
import { DataRowMessage, type BackendMessage } from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';

const dataRow = 'D'.charCodeAt(0);
const isNull = -1;
const firstBeyondAscii = 0x80;

/** The message that pg uses for a query. */
const silent = 'Query read timeout';

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
  #above: readonly (string | null)[] = [];
  readonly #aboveFrom: number[] = [];
  readonly #aboveSize: number[] = [];

  override parse(chunk: Buffer, heard: (message: BackendMessage) => void): void {
    try {
      super.parse(chunk, heard);
    } finally {
      this.#text = null;
      this.#above = [];
    }
  }

  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): BackendMessage {
    if (code !== dataRow) return super.handlePacket(offset, code, length, bytes);
    if (this.#text === null) {
      this.#text = bytes.toString('latin1', offset, this.bufferOffset + this.bufferLength);
      this.#textFrom = offset;
    }
    const count = bytes.readUInt16BE(offset);
    const cells: (string | null)[] = [];
    cells.length = count;
    let at = offset + 2;
    for (let column = 0; column < count; column++) {
      const size = bytes.readInt32BE(at);
      const from = at + 4;
      at = size === isNull ? from : from + size;
      cells[column] = size === isNull ? null : this.#cell(column, bytes, from, at);
      this.#aboveFrom[column] = from;
      this.#aboveSize[column] = size;
    }
    this.#above = cells;
    return new DataRowMessage(length, cells) as BackendMessage;
  }

  #cell(column: number, bytes: Buffer, from: number, to: number): string {
    const above = this.#above[column] ?? null;
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

/** How pg stores the description of a statement's rows. */
export interface RowShape {
  readonly fields: unknown;
  readonly _parsers: unknown;
  readonly _prebuiltEmptyResultObject: unknown;
}

/** pg's connection, which sends and receives the messages of the protocol. */
export interface Connection {
  /** Row descriptions of the prepared statements, by name of the statement. */
  shapes: Map<string, RowShape>;
  /** This connection for statements whose rows are described already: it skips Describe and sends all messages in one write. */
  brief: Connection;
  attachListeners(stream: Socket): void;
  emit(event: string, message: BackendMessage): boolean;
  describe(): void;
  sync(): void;
  _send(message: Buffer): void;
}

export interface RowsClientConfig extends pg.ClientConfig {
  /** The connection is closed if the server is silent for this long while an answer is awaited. */
  readonly silenceMs?: number;
}

/**
 * pg's client with the parser above. One timer for each connection watches for a silent server; pg itself sets one for each
 * query.
 */
export class RowsClient extends pg.Client {
  constructor({ silenceMs = 0, ...config }: RowsClientConfig = {}) {
    super(config);
    const { connection } = this as unknown as { connection: Connection };
    const isAwaited = () => !(this as unknown as { readyForQuery: boolean }).readyForQuery;
    connection.shapes = new Map();
    connection.brief = briefOf(connection);
    // Replaces pg's method, which pg calls for the plain socket and for that of TLS.
    connection.attachListeners = (stream) => {
      const parser = new RowParser();
      const tell = (message: BackendMessage) =>
        void connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
      stream.on('data', (chunk: Buffer) => parser.parse(chunk, tell));
      stream.setTimeout(silenceMs, () => isAwaited() && stream.destroy(new Error(silent)));
    };
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
