import type { Config } from './config.ts';

const isLoopback = (host: string) => ['', 'localhost', '127.0.0.1', '[::1]'].includes(host);

/** Returns what is advised for production and not set. An advice never holds a value, because some are secret. */
export function adviseForProduction({ env, db, http, auth, redis, metrics, demo }: Config): string[] {
  const isEmbedded = db.url === null;
  const isFarAway = db.url !== null && !isLoopback(new URL(db.url).hostname);
  const advice: readonly (readonly [boolean, string])[] = [
    [env !== 'production', 'NODE_ENV=production: credentials are then accepted over https only.'],
    [isEmbedded, 'DATABASE_URL: the embedded database is for a first look, development and tests.'],
    [isEmbedded && demo, 'DEMO=false: everybody knows the password of the demo accounts.'],
    [
      isFarAway && db.tls === null,
      'sslmode=verify-full in DATABASE_URL: the connection to another machine is not encrypted.',
    ],
    [
      http.tls === null && http.trustProxy.length === 0,
      'TLS_CERT and TLS_KEY, or TRUST_PROXY for a TLS proxy in front: in production, credentials over plain http are refused.',
    ],
    [!auth.refuseCommonPasswords, 'CALLBOARD_REFUSE_COMMON_PASSWORDS=true: common passwords are guessed first.'],
    [
      redis.url === null,
      'REDIS_URL, if there are several processes: without it, each of them counts rate limits by itself.',
    ],
    [metrics.port === null && metrics.token === null, 'METRICS_PORT or METRICS_TOKEN: there are no metrics now.'],
  ];
  return advice.flatMap(([applies, text]) => (applies ? [text] : []));
}
