import type { Connection, MessageCollector } from './connection.ts';
import type { NamedQuery } from './named-query.ts';

/**
 * Several prepared statements that a RowsClient sends in one packet, before a single Sync. PostgreSQL runs them one after
 * another and answers all of them together; behind one that fails it runs none. To pg it is one query, which has the name and
 * the text of the statement that is being answered. Performance notes: src/guide/performance.md#brief-reads-go-together
 */
export class QueryBatch {
  readonly #queries: readonly NamedQuery[];
  #sent: readonly NamedQuery[] = [];
  #answered = 0;

  constructor(queries: readonly NamedQuery[]) {
    this.#queries = queries;
  }

  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string | undefined {
    return this.#current?.text;
  }

  get #current(): NamedQuery | undefined {
    return this.#sent[this.#answered];
  }

  submit(connection: Connection): Error | null {
    const { collector } = connection;
    this.#sent = this.#queries.filter((query) => collect(collector, query));
    connection.sync.call(collector);
    connection._send(Buffer.concat(collector.messages.splice(0)));
    return null;
  }

  handleRowDescription(description: unknown): void {
    this.#current?.handleRowDescription(description);
  }

  handleDataRow(row: { readonly fields: readonly (string | null)[] }): void {
    this.#current?.handleDataRow(row);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#current?.handleCommandComplete(message, connection);
    this.#answered++;
  }

  handleReadyForQuery(connection: Connection): void {
    for (const query of this.#sent) query.handleReadyForQuery(connection);
  }

  handleError(error: Error, connection: Connection): void {
    const isUnsent = this.#sent.length === 0;
    (isUnsent ? this.#queries : this.#sent).forEach((query, index) => {
      if (index < this.#answered) query.handleReadyForQuery(connection);
      else fail(connection, query, error);
    });
  }
}

/** Collects the messages of a query. False if a value of it cannot be sent: then it has failed, and nothing of it is sent. */
function collect(collector: MessageCollector, query: NamedQuery): boolean {
  const { messages } = collector;
  const { length } = messages;
  const fault = query.submit(collector);
  if (fault) fail(collector, query, fault);
  if (!query.hasFailed) return true;
  messages.length = length;
  delete collector.submittedNamedStatements[query.name];
  return false;
}

/** PostgreSQL has not read a statement that it did not run, so pg has to send its text again. */
function fail(connection: Connection, query: NamedQuery, error: Error): void {
  delete connection.submittedNamedStatements[query.name];
  query.handleError(error, connection);
}

/** Makes a connection that keeps the messages of queries, each without its Sync. It is made once, as V8 would make hidden classes for each. */
export function collectorOf(connection: Connection): MessageCollector {
  const messages: Buffer[] = [];
  const own: Partial<Connection> = { _send: (message) => void messages.push(message), sync: () => undefined };
  const collector = Object.assign(Object.create(connection) as Connection, own, { messages });
  const brief = Object.assign(Object.create(collector) as Connection, { describe: () => undefined });
  return Object.assign(collector, { brief });
}
