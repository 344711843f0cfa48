/* Cases that need more than one request; each names the file and title of its own test. */

export const elsewhere: Readonly<Record<string, readonly [file: string, title: string]>> = {
  'headers dripped 1 line/0.5 s': ['transport-slow.long', 'headers sent slowly, line by line, are cut off with 408'],
  'body dripped': ['transport-slow.long', 'a body sent slowly, letter by letter, is cut off with 408'],
  'forged X-Forwarded-For': ['transport', 'cannot claim another address'],
  'client aborts mid-POST': [
    'bad-inputs-connections',
    'in the middle of a POST leaves either the whole change or nothing, and the log shows no failure',
  ],

  'server TZ or PG TimeZone not UTC': [
    'time-zones.pg',
    'the time zones of the machine and of PostgreSQL have no effect',
  ],
  'same Idempotency-Key + body': ['idempotency', 'by %s runs once and returns the first answer'],
  'same key, other body': ['idempotency', 'by %s is refused with other input, and changes nothing'],
  'same key in flight': ['safe-retries.pg', '%s with the same key is refused for now and runs only once'],
  'key empty or >255': ['idempotency', 'of %s has 1 to 255 characters and no control characters'],
  'deleted/canceled shift': [
    'work-shifts',
    'only active shifts are shown, by start, then by creation, with undetermined starts last',
  ],
  'shift of a deleted user': ['work-shifts', 'the shifts of a deleted user keep their names'],
  '100k events, deep page': ['deep-pages.pg', 'the last pages of 100,000 events take as many statements as the first'],

  'unknown email': ['login-timing', 'an unknown e-mail is refused after the same work as a wrong password'],
  'password NFC vs NFD': ['login', 'takes the password as received: composed and decomposed letters differ'],
  '6th failure in window': ['field-limits.long', 'an unknown e-mail gets the same answers'],
  '100 accounts x1 from one IP': ['field-limits.long', 'one address has a limited number of attempts over all e-mails'],
  'right password while throttled': [
    'field-limits.long',
    'the sixth wrong log-in is refused, and the right password with it, in both dialects',
  ],
  '60 parallel logins': ['login-load.pg', '60 parallel log-ins do not delay other calls: surplus log-ins are refused'],
  '20 aliases of login': ['field-limits.long', 'twenty aliases of one log-in count as twenty, whether wrong or right'],

  'user deleted': ['tokens', 'when its user is deleted'],
  'role lowered': ['tokens', 'not by a change of role: the next call has the new rights'],
  'moved business': ['tokens', 'when its user moves to another business; a new one shows only that business'],
  'password changed': [
    'tokens',
    'when the password is changed, while the new password logs in and the old one does not',
  ],
  'DELETE personal': ['tokens', 'when it revokes itself; the others of its account stay valid'],
  'DELETE personal/all then login same second': [
    'tokens',
    'together with all others of the account; a log-in in the same second gives a valid one',
  ],
  'revoke, then Redis flushed': [
    'redis-faults.pg',
    'revoked credentials stay revoked, and a revocation takes effect on both processes at once',
  ],
  'revoke seen on 2nd instance': ['tokens', 'on every process of the service immediately'],

  'route x {anon,client,staff,admin,key,other tenant}': [
    'authorization.long',
    'has a row for every route of the OpenAPI document',
  ],
  'private_notes to non-admin': ['own-reach', 'shows clients its staff and positions, without pay or internal fields'],
  '2 admins delete each other at once': ['last-admin.pg', '%s, one admin is left'],
  'two tenants interleaved x1000 (DataLoader)': [
    'tenancy-keys',
    'interleaved calls of two businesses never see rows of each other',
  ],

  '500 parallel, 2 instances': [
    'redis-faults.pg',
    'of 500 parallel calls over two processes exactly the allowed number passes',
  ],
  '401/404 floods': [
    'rate-limits',
    'count against their address: missing, bad and unknown credentials share one limit',
  ],
  'plan changed': ['rate-limits', 'follows a change of plan at once and keeps the count'],
  'Redis refused': ['redis-faults.pg', 'refuses connections'],
  'Redis SIGSTOP': ['redis-faults.pg', 'is frozen'],
  'Redis back': ['redis-faults.pg', 'calls are answered without delay, and each process continues from its own counts'],
  'Redis READONLY/OOM/NOSCRIPT': ['redis-faults.pg', 'is read-only'],
  'wall clock step': [
    'bad-inputs-limits',
    'when the system clock jumps, no waiting time is negative or longer than its window',
  ],

  'resolver throws secret': ['graphql-errors', 'a failing field reveals nothing but the request id'],
  'context throws': ['graphql-errors', 'a request whose context cannot be made is refused with 503'],
  '100 events x shifts x users': [
    'sql-count',
    'several lists in one GraphQL request cost at most one statement per list and kind of child',
  ],
  'mutation 1 ok, 2 fails': ['graphql-errors', 'a failing mutation field does not undo the fields before it'],
  'REST and GraphQL give the same verdict': ['parity-limits.long', 'is refused in the same way by both dialects of %s'],

  'SIGTERM with 5 s request': [
    'shutdown.pg',
    'SIGTERM: the process is no longer ready, then takes no new connections, finishes running requests and exits with 0',
  ],
  'second SIGTERM': ['shutdown.pg', 'a second SIGTERM ends the process at once and leaves nothing half done'],
  draining: ['faults.pg', 'one of the two processes is stopped: it drains first and cuts no request off'],
  'kill -9 app in POST, client retries key': [
    'safe-retries.pg',
    'in the middle of a POST leaves one event after the client repeats it',
  ],
  'PG fast restart under load': ['faults.pg', 'PostgreSQL is restarted'],
  'PG kill -9 under load': ['faults.pg', 'PostgreSQL is killed'],
  'pool exhausted': [
    'faults-transactions.pg',
    'while slow transactions hold every connection, other calls are refused before those end; afterwards they work again',
  ],
  'PG down at boot': ['process.pg', 'while PostgreSQL is down the process runs, is not ready, and recovers by itself'],
  'P2034/40P01': ['faults-transactions.pg', 'a real deadlock only delays the caller'],
  'tx >5 s (P2028)': [
    'faults-transactions.pg',
    'with many statements is rolled back, and its caller gets an answer in time',
  ],
  'schema behind migrations': [
    'shutdown.pg',
    'with an older schema the process is not ready, and becomes ready by itself after the migration',
  ],
  'event loop blocked >1 s': [
    'shutdown.pg',
    'requests that arrive while the process is blocked for more than a second are refused, except probes',
  ],
  unhandledRejection: [
    'shutdown.pg',
    'an unhandled rejection is logged, running requests are finished, and the process exits with 1',
  ],
  'JWT secret missing or <32 bytes': ['process', '%s=%s refuses to start with one line that names it'],
  'expiry "24"': ['process', '%s=%s refuses to start with one line that names it'],
  'Schemathesis 1,000/endpoint': ['random-rest.long', 'random calls of %s are all answered as documented'],
};
