import pg from 'pg';
import { serialize } from 'pg-protocol';
import type { BackendMessage } from 'pg-protocol/dist/messages.js';
import type { Connection, ServerClient } from './connection.ts';
import type { SessionSettings } from './session-settings.ts';

/**
 * Makes each transaction of a connection begin with its settings, which end with it. They cost no round trip: those of a
 * single statement go in the same packet as the statement. Notes: src/guide/performance.md#sessions-behind-a-pooler
 */
export function settleEachTransaction(client: ServerClient, settings: SessionSettings): void {
  const { connection } = client;
  const { parse, query } = connection;
  const statement = beforeStatement(settings);
  const transaction = beginWith(settings);
  const isInTransaction = () => client.getTransactionStatus() !== 'I';
  connection.isShared = true;

  // pg calls this once for each statement that has values or a name.
  connection.parse = (message) => {
    if (!isInTransaction()) {
      connection._send(statement);
      connection.unheard = statementReplies;
    }
    parse.call(connection, message);
  };
  // pg calls this for any other statement.
  connection.query = (text) => {
    if (text === 'BEGIN') query.call(connection, transaction);
    else if (isInTransaction()) query.call(connection, text);
    else {
      connection.parse({ text });
      connection._send(bindAndRun);
    }
  };
}

/** Statements sent before a Sync are one transaction, so the settings hold until the end of the next one. */
function beforeStatement(settings: SessionSettings): Buffer {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', ${literal(value)}, TRUE)`);
  // The statement gives no row, so that the rows of the next one are the only ones.
  const text = `SELECT 1 WHERE concat(${calls.join(', ')}) IS NULL`;
  return Buffer.concat([serialize.parse({ text }), serialize.bind({}), serialize.execute({})]);
}

/** The replies to the messages above: ParseComplete, BindComplete and CommandComplete. */
const statementReplies = 3;

const bindAndRun = Buffer.concat([
  serialize.bind({}),
  serialize.describe({ type: 'P', name: '' }),
  serialize.execute({}),
  serialize.sync(),
]);

/** SET takes no snapshot, so the isolation level can be set after it. */
function beginWith(settings: SessionSettings): string {
  const sets = Object.entries(settings).map(([name, value]) => {
    const text = name === 'search_path' ? value : value && literal(value);
    return `SET LOCAL ${name} TO ${text ?? 'DEFAULT'}`;
  });
  return [`BEGIN ISOLATION LEVEL ${settings['default_transaction_isolation']}`, ...sets].join('; ');
}

const literal = (value: string | null): string => (value === null ? 'NULL' : pg.escapeLiteral(value));

/** Whether the message replies to the settings and not to the statement after them. */
export function isReplyToSettings(connection: Connection, { name }: BackendMessage): boolean {
  if (connection.unheard === 0) return false;
  if (name === 'error' || name === 'readyForQuery') connection.unheard = 0;
  else if (name === 'parseComplete' || name === 'bindComplete' || name === 'commandComplete') {
    connection.unheard--;
    return true;
  }
  return false;
}
