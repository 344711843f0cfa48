import type { Socket } from 'node:net';
import pg from 'pg';
import { DataRowMessage, type BackendMessage } from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';

const dataRow = 'D'.charCodeAt(0);
const isNull = -1;
const firstBeyondAscii = 0x80;

/** What the parser of pg-protocol does within its package. */
interface Packets {
  readonly bufferOffset: number;
  readonly bufferLength: number;
  parse(chunk: Buffer, heard: (message: BackendMessage) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): BackendMessage;
}

/**
 * Reads the rows of an answer from one text for each chunk that arrives. pg-protocol asks Node for a text for each cell,
 * which was a tenth of the work of a list of events.
 */
class RowParser extends (Parser as unknown as new () => Packets) {
  /** The chunk from the first row in it on, each byte a character; null: no row yet. */
  #text: string | null = null;
  #textFrom = 0;

  override parse(chunk: Buffer, heard: (message: BackendMessage) => void): void {
    this.#text = null;
    super.parse(chunk, heard);
    this.#text = null;
  }

  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): BackendMessage {
    if (code !== dataRow) return super.handlePacket(offset, code, length, bytes);
    if (this.#text === null) {
      this.#text = bytes.toString('latin1', offset, this.bufferOffset + this.bufferLength);
      this.#textFrom = offset;
    }
    const cells: (string | null)[] = [];
    let at = offset + 2;
    for (let left = bytes.readUInt16BE(offset); left > 0; left--) {
      const size = bytes.readInt32BE(at);
      const from = at + 4;
      at = size === isNull ? from : from + size;
      cells.push(size === isNull ? null : this.#cell(bytes, from, at));
    }
    return new DataRowMessage(length, cells) as BackendMessage;
  }

  #cell(bytes: Buffer, from: number, to: number): string {
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

interface Connection {
  attachListeners(stream: Socket): void;
  emit(event: string, message: BackendMessage): boolean;
}

/** A client of pg that has its rows read by the parser above. */
export class RowsClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Connection };
    // As pg does it, which calls this for the socket, and for the one of TLS.
    connection.attachListeners = (stream) => {
      const parser = new RowParser();
      const tell = (message: BackendMessage) =>
        void connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
      stream.on('data', (chunk: Buffer) => parser.parse(chunk, tell));
    };
  }
}
