import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import type { Config } from '../../config/config.ts';
import type { DatabaseTls } from '../../config/database-url.ts';
import { within } from '../../within.ts';
import { prepareSession, sessionSettings, settingsScript } from './session.ts';

/** A pool of connections whose sessions all have the settings that the SQL of this service relies on. */
export interface Server {
  readonly pool: pg.Pool;
  /** Connections from which nobody awaits an answer. */
  readonly resting: WeakSet<pg.ClientBase>;
  /** The settings as a script, where each transaction has to begin with them; null without a pooler. */
  settings(): Promise<string | null>;
  /** Whether a session keeps what is prepared: not behind a pooler. */
  canPrepare(): boolean;
  /** Runs statements on one connection, in a transaction behind a pooler. Nothing can be prepared there. */
  run<T>(work: (client: pg.PoolClient, canPrepare: boolean) => Promise<T>): Promise<T>;
  /** Runs statements in a transaction. */
  transact<T>(
    how: Transacting,
    work: (client: pg.PoolClient, canPrepare: boolean, first?: Row) => Promise<T>,
  ): Promise<T>;
}

interface Transacting {
  /** The statement that begins the transaction [BEGIN]. */
  readonly begin?: string;
  /** A query that is sent together with it, and whose row the work gets. */
  readonly first?: string;
  /** Calls its argument, which commits. */
  readonly end?: (commit: () => Promise<unknown>) => Promise<unknown>;
}

type Row = Readonly<Record<string, string | null>>;

export function openServer(
  url: string,
  config: Config['db'],
  { leavesShared = false, ...own }: pg.PoolConfig & { leavesShared?: boolean } = {},
): Server {
  const { connection, schema, options } = readUrl(url);
  const settings = sessionSettings(config, { schema, options });
  const settingsSql = settingsScript(settings);
  /** Whether the server is reached through a pooler; null until a connection was opened. */
  let isShared: boolean | null = null;
  const pool = new pg.Pool({
    ssl: config.tls ? tlsOptions(config.tls) : false,
    connectionTimeoutMillis: config.connectTimeoutMs,
    idleTimeoutMillis: config.idleTimeoutMs,
    keepAlive: true,
    application_name: 'callboard',
    ...connection,
    max: config.poolSize,
    // The pool itself would wait for as long as it takes.
    // oxlint-disable-next-line typescript/no-misused-promises -- pg-pool awaits the promise of onConnect, although its type does not say so.
    onConnect: async (client) => {
      isShared =
        (await within(config.connectTimeoutMs, prepareSession(client, settings, { leavesShared }))) ||
        isShared === true;
    },
    ...own,
  });
  // An idle connection that breaks is replaced at the next query. Without a listener, the event would end the process.
  pool.on('error', () => undefined);
  // A connection can also break in the moment between its release by one caller and its use by the next, who has no listener yet.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const resting = new WeakSet<pg.ClientBase>();
  // A transaction of Prisma may be idle for as long as it may last: longer silence is never that of the service.
  const silenceMs = Math.max(config.queryTimeoutMs, config.transactionTimeoutMs);
  if (config.queryTimeoutMs > 0)
    pool.on('connect', (client) => boundSilence(client, silenceMs, () => resting.has(client)));
  pool.on('acquire', (client) => resting.delete(client));
  pool.on('release', (_error, client) => resting.add(client));

  const withClient = async <T>(
    how: Transacting | null,
    work: (client: pg.PoolClient, canPrepare: boolean, first?: Row) => Promise<T>,
  ): Promise<T> => {
    const client = await pool.connect();
    let failure: unknown;
    try {
      const isTransaction = how !== null || isShared;
      const { begin = 'BEGIN', first = '', end = (commit: () => Promise<unknown>) => commit() } = how ?? {};
      // One script takes one round trip; each of its statements has a result.
      const script = `${begin};${isShared ? settingsSql : ''};${first}`;
      const begun = isTransaction ? [await client.query<Row>(script)].flat() : [];
      const result = await work(client, !isShared, begun.at(-1)?.rows[0]);
      resting.delete(client);
      if (isTransaction) await end(() => client.query('COMMIT'));
      return result;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      const isUsable = failure === undefined || isRefused(failure);
      client.release(!isUsable || client.getTransactionStatus() !== 'I');
    }
  };

  return {
    pool,
    resting,
    settings: async () => {
      if (isShared === null) (await pool.connect()).release();
      return isShared ? settingsSql : null;
    },
    canPrepare: () => isShared === false,
    run: (work) => withClient(null, work),
    transact: withClient,
  };
}

/**
 * Has a connection closed once PostgreSQL says nothing for so long [ms], unless it rests. The `query_timeout` of pg takes a timer for each
 * statement, and garbage with it: src/guide/performance.md#the-first-boards
 */
function boundSilence(client: pg.Client, silenceMs: number, rests: () => boolean): void {
  const socket = client.connection.stream as Socket;
  socket.setTimeout(silenceMs);
  socket.on('timeout', () => {
    const { bytesRead } = socket;
    const giveUp = () => {
      if (socket.bytesRead === bytesRead && !rests()) socket.destroy(new Error('The answer came too late.'));
    };
    // An answer may have arrived while this process was busy with something else.
    setImmediate(() => setImmediate(giveUp));
  });
}

/** Whether PostgreSQL refused a statement and goes on with the connection. */
const isRefused = (error: unknown): boolean => error instanceof pg.DatabaseError && error.severity === 'ERROR';

/** Makes an object of its own, because pg changes it. */
function tlsOptions({ verifies, ...certificates }: DatabaseTls): ConnectionOptions {
  return {
    ...certificates,
    rejectUnauthorized: verifies !== 'nothing',
    ...(verifies === 'chain' && { checkServerIdentity: () => undefined }),
  };
}

/** Reads a URL as libpq does. Prisma's parameter `schema` is taken out, because pg would not know it. */
function readUrl(url: string) {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get('schema');
  const options = parsed.searchParams.get('options');
  parsed.searchParams.delete('schema');
  const { username, password, hostname, port, pathname, searchParams } = parsed;
  const connection: pg.PoolConfig = {
    ...(username && { user: decode(username) }),
    ...(password && { password: decode(password) }),
    ...(hostname && { host: decode(hostname).replace(/^\[(.+)\]$/, '$1') }),
    ...(port && { port: Number(port) }),
    ...Object.fromEntries(searchParams),
    // pg itself would leave `%2F` as it is.
    ...(pathname.length > 1 && { database: decode(pathname.slice(1)) }),
  };
  return { connection, schema, options };
}

/** A password may have a bare `%`. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function schemaOf(url: string): { schema?: string } {
  const { schema } = readUrl(url);
  return schema ? { schema } : {};
}

/** Closes a connection that is still in a transaction: Prisma returns it to the pool even if its ROLLBACK was not answered. */
export function dropUnlessIdle(_error: unknown, pooled: object): void {
  const client = pooled as pg.Client;
  if (client.getTransactionStatus() !== 'I') void client.end().catch(() => undefined);
}
