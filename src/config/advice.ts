import type { Config } from './config.ts';

const isLoopback = (host: string) => ['', 'localhost', '127.0.0.1', '[::1]'].includes(host);

/** Whether a range is so wide that it holds addresses of the whole internet. Private ones of IPv6 begin with fc, fd or fe. */
function isWide(entry: string): boolean {
  const [address = '', prefix = '128'] = entry.split('/');
  if (!address.includes(':')) return Number(prefix) < 8;
  return /^(::|0:0:0:0:0:)ffff:/i.test(address)
    ? Number(prefix) < 96 + 8
    : Number(prefix) < 16 && !/^f[cde]/i.test(address);
}

/** Returns what is dangerous in any environment, and yet allowed. The service says it at each start. */
export function findDangers({ http, webhooks, warnings }: Config): string[] {
  const dangers: readonly (readonly [boolean, string])[] = [
    [
      http.trustProxy.some(isWide),
      'TRUST_PROXY trusts a large part of the internet, so callers can pretend to have any address, and to use https. Name the addresses of the proxies alone.',
    ],
    [
      webhooks.allow.some(isWide),
      'CALLBOARD_WEBHOOK_ALLOW lets webhooks reach nearly everything inside. Name the addresses of the receivers alone.',
    ],
  ];
  return [...warnings, ...dangers.flatMap(([applies, text]) => (applies ? [text] : []))];
}

/** Returns what is advised for production and not set. An advice never holds a value, because some are secret. */
export function adviseForProduction(config: Config): string[] {
  const { env, db, http, auth, redis, mail, metrics, demo } = config;
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
    [
      mail !== null && /^http:/i.test(mail.publicUrl) && !isLoopback(new URL(mail.publicUrl).hostname),
      'PUBLIC_URL with https: the links of mails hold secrets, which travel unencrypted over http.',
    ],
    [!auth.refuseCommonPasswords, 'CALLBOARD_REFUSE_COMMON_PASSWORDS=true: common passwords are guessed first.'],
    [
      redis.url === null,
      'REDIS_URL, if the service is started several times: without it, each of them counts rate limits by itself.',
    ],
    [metrics.port === null && metrics.token === null, 'METRICS_PORT or METRICS_TOKEN: there are no metrics now.'],
  ];
  return [...findDangers(config), ...advice.flatMap(([applies, text]) => (applies ? [text] : []))];
}
