import type { Socket } from 'node:net';
import type pg from 'pg';
import type { BackendMessage } from 'pg-protocol/dist/messages.js';

/* Internals of pg that RowsClient and the files about its sessions use. The version of pg is pinned. */

/** A column of a statement's rows, as pg describes it. */
export interface Column {
  readonly name: string;
  readonly dataTypeID: number;
  readonly format: string;
}

/** How pg stores the description of a statement's rows. */
export interface RowShape {
  readonly fields: readonly Column[];
  readonly _parsers: readonly ((cell: string) => unknown)[];
  readonly _prebuiltEmptyResultObject: unknown;
  /** Null: pg makes the rows. */
  readonly makeRow: MakeRow | null;
}

/** Makes the object of a row from the texts of its cells. */
export type MakeRow = (cells: readonly (string | null)[]) => object;

/** pg's connection, which sends and receives the messages of the protocol. */
export interface Connection {
  readonly stream: Socket;
  /** Row descriptions of the prepared statements, by name of the statement. */
  shapes: Map<string, RowShape>;
  /** This connection for statements whose rows are described already: it skips Describe and sends all messages in one write. */
  brief: Connection;
  /** This connection for statements that go together: it keeps their messages. */
  collector: MessageCollector;
  /** Texts of the prepared statements that PostgreSQL has been sent and has not read yet, by name. */
  readonly submittedNamedStatements: Record<string, string>;
  /** Whether each transaction may run in another session, which other clients use as well. */
  isShared: boolean;
  /** Replies to settings that are still to come, ahead of the replies to the statement itself. */
  unheard: number;
  attachListeners(stream: Socket): void;
  emit(event: string, message: BackendMessage): boolean;
  parse(message: { text: string; name?: string }): void;
  query(text: string): void;
  describe(): void;
  sync(): void;
  _send(message: Buffer): void;
}

/** A connection that keeps what it is to send. */
export interface MessageCollector extends Connection {
  readonly messages: Buffer[];
}

/** A client of pg, with its internals. */
export interface ServerClient extends Pick<pg.Client, 'query' | 'getTransactionStatus'> {
  readonly connection: Connection;
  /** Id of the process that serves the connection; a pooler sends one that does not exist. Null if none was sent. */
  readonly processID: number | null;
}
