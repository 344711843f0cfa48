import { availableParallelism } from 'node:os';
import type { Config } from './config.ts';

/** Connections that PostgreSQL allows by default, without the three that it keeps for administrators. */
const usualConnections = 97;

const isLoopback = (host: string) => ['', 'localhost', '127.0.0.1', '[::1]'].includes(host);

/** Returns what is advised for production and not set. An advice never holds a value, because some are secret. */
export function adviseForProduction({ env, workers, db, http, auth, redis, metrics, demo }: Config): string[] {
  const isEmbedded = db.url === null;
  const isOpen = (server: { url: string | null; tls: unknown }) =>
    server.url !== null && !isLoopback(new URL(server.url).hostname) && server.tls === null;
  const advice: readonly (readonly [boolean, string])[] = [
    [env !== 'production', 'NODE_ENV=production: credentials are then accepted over https only.'],
    [isEmbedded, 'DATABASE_URL: the embedded database is for a first look, development and tests.'],
    [isEmbedded && demo, 'DEMO=false: everybody knows the password of the demo accounts.'],
    [isOpen(db), 'sslmode=verify-full in DATABASE_URL: the connection to another machine is not encrypted.'],
    [
      db.replicas.some(isOpen),
      'sslmode=verify-full in DATABASE_READ_URLS: a connection to another machine is not encrypted.',
    ],
    [
      http.tls === null && http.trustProxy.length === 0,
      'TLS_CERT and TLS_KEY, or TRUST_PROXY for a TLS proxy in front: in production, credentials over plain http are refused.',
    ],
    [!auth.refuseCommonPasswords, 'CALLBOARD_REFUSE_COMMON_PASSWORDS=true: common passwords are guessed first.'],
    [
      redis.url === null,
      'REDIS_URL, if the service is started several times: without it, each of them counts rate limits by itself.',
    ],
    [workers > availableParallelism(), 'CALLBOARD_WORKERS=auto: there are more workers than cores.'],
    [
      workers > 1 && workers * db.poolSize > usualConnections,
      'CALLBOARD_DB_POOL: every worker may open so many connections, together more than max_connections of PostgreSQL allows by default.',
    ],
    [metrics.port === null && metrics.token === null, 'METRICS_PORT or METRICS_TOKEN: there are no metrics now.'],
  ];
  return advice.flatMap(([applies, text]) => (applies ? [text] : []));
}
