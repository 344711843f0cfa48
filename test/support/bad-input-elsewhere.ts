/* Cases that are no single request: each has a test of its own, by file and title. */

export const elsewhere: Readonly<Record<string, readonly [file: string, title: string]>> = {
  'headers dripped 1 line/0.5 s': ['transport-slow.long', 'headers dripped line by line are cut off with 408'],
  'body dripped': ['transport-slow.long', 'a body dripped letter by letter is cut off with 408'],
  'forged X-Forwarded-For': ['transport', 'cannot say who it is calling for'],
  'client aborts mid-POST': [
    'bad-inputs-connections',
    'in the middle of a POST has done all of it or nothing, and nothing has failed here',
  ],

  'server TZ or PG TimeZone not UTC': [
    'time-zones.pg',
    'neither the clock of the machine nor that of PostgreSQL has a say',
  ],
  'same Idempotency-Key + body': ['idempotency', 'by %s is done once and answered as the first time'],
  'same key, other body': ['idempotency', 'by %s is refused with other input, and changes nothing'],
  'same key in flight': ['safe-retries.pg', '%s under the same key is told to wait, and then done once'],
  'key empty or >255': ['idempotency', 'of %s has 1 to 255 characters and none that control'],
  'deleted/canceled shift': [
    'work-shifts',
    'only active shifts are shown, by start, then in the order of their making, those to be determined last',
  ],
  'shift of a deleted user': ['work-shifts', 'the shifts of a deleted user keep their names'],
  '100k events, deep page': [
    'deep-pages.pg',
    'the last pages of 100,000 events come within 2 seconds, in as many statements',
  ],

  'unknown email': ['login-timing', 'an e-mail that nobody has is refused in the time that a wrong password takes'],
  'password NFC vs NFD': ['login', 'takes the password as received: composed and decomposed letters differ'],
  '6th failure in window': ['field-limits', 'an e-mail that nobody has is answered no differently'],
  '100 accounts x1 from one IP': ['field-limits', 'one address may try many e-mails only so often'],
  'right password while throttled': [
    'field-limits',
    'the sixth wrong log-in is refused, and the right password with it, in both dialects',
  ],
  '60 parallel logins': [
    'login-load.pg',
    '60 log-ins at once hold up nobody else: what is too much is refused, others are answered in time',
  ],
  '20 aliases of login': ['field-limits', 'twenty aliases of one log-in count as twenty, whether wrong or right'],

  'user deleted': ['tokens', 'when its user is deleted'],
  'role lowered': ['tokens', 'never by a change of role: the next call has the rights of the new one'],
  'moved business': ['tokens', 'when its user moves to another business, and a new one shows that business alone'],
  'password changed': [
    'tokens',
    'when the password is changed, while the new password logs in and the old one does not',
  ],
  'DELETE personal': ['tokens', 'when it revokes itself, and the others of its account live on'],
  'DELETE personal/all then login same second': [
    'tokens',
    'with all others of the account at once, and a log-in in the same second gives one that lives',
  ],
  'revoke, then Redis flushed': [
    'redis-faults.pg',
    'what was revoked stays so, and what is revoked now is so on both at once',
  ],
  'revoke seen on 2nd instance': ['tokens', 'on every process of the service at once'],

  'route x {anon,client,staff,admin,key,other tenant}': [
    'authorization',
    'has a row for every route of the OpenAPI document',
  ],
  'private_notes to non-admin': [
    'own-reach',
    'shows clients who comes as what, no pay, and nothing that is not meant for them',
  ],
  '2 admins delete each other at once': ['last-admin.pg', '%s leave one'],
  'two tenants interleaved x1000 (DataLoader)': [
    'tenancy-keys',
    'calls of two businesses that run interleaved never show each other anything',
  ],

  '500 parallel, 2 instances': [
    'redis-faults.pg',
    'of 500 parallel calls over two processes exactly as many pass as the budget holds',
  ],
  '401/404 floods': [
    'budget',
    'are paid for by their address: one budget for what is missing, bad, unknown and for log-ins',
  ],
  'plan changed': ['budget', 'follows a change of plan at once, up and down, and keeps the count'],
  'Redis refused': ['redis-faults.pg', 'refuses connections'],
  'Redis SIGSTOP': ['redis-faults.pg', 'is frozen'],
  'Redis back': [
    'redis-faults.pg',
    'answers keep coming at once, and each process goes on counting from what it knows',
  ],
  'Redis READONLY/OOM/NOSCRIPT': ['redis-faults.pg', 'is read-only'],
  'wall clock step': [
    'bad-inputs-limits',
    'where the clock of the machine is put forward or back, no time to wait is negative or beyond its window',
  ],

  'resolver throws secret': ['graphql-errors', 'a field that fails tells nothing but the id of the request'],
  'context throws': ['graphql-errors', 'a request whose context cannot be made is refused with 503'],
  '100 events x shifts x users': [
    'sql-count',
    'several lists in one GraphQL request cost a statement a kind of child for each list, at most',
  ],
  'mutation 1 ok, 2 fails': [
    'graphql-errors',
    'the fields of one mutation stand for themselves: what was done before one fails is kept',
  ],
  'REST and GraphQL give the same verdict': ['parity-limits', 'is refused alike by %s'],

  'SIGTERM with 5 s request': [
    'shutdown.pg',
    'SIGTERM: not ready any more, then no new connections, while what runs is finished; and exit 0',
  ],
  'second SIGTERM': ['shutdown.pg', 'a second SIGTERM ends it at once, and what ran leaves nothing half done'],
  draining: ['faults.pg', 'one of the two processes is told to end: it refuses first, and cuts nothing off'],
  'kill -9 app in POST, client retries key': [
    'safe-retries.pg',
    'in the middle of a POST leaves one event once the client has sent it again',
  ],
  'PG fast restart under load': ['faults.pg', 'PostgreSQL is restarted'],
  'PG kill -9 under load': ['faults.pg', 'PostgreSQL is killed'],
  'pool exhausted': [
    'faults-transactions.pg',
    'while slow transactions hold every connection, others are refused within 2 seconds; then all is well',
  ],
  'PG down at boot': [
    'process.pg',
    'while PostgreSQL is down the process is up, says that it is not ready, and recovers by itself',
  ],
  'P2034/40P01': ['faults-transactions.pg', 'a real deadlock costs the caller a moment, and no more'],
  'tx >5 s (P2028)': [
    'faults-transactions.pg',
    'with one statement after the other is rolled back, and its caller told in time',
  ],
  'schema behind migrations': [
    'shutdown.pg',
    'a schema behind this version is not ready, and is so by itself once it is up to date',
  ],
  'event loop blocked >1 s': [
    'shutdown.pg',
    'what comes while the process is blocked for more than a second is refused, but probes; then all is well',
  ],
  unhandledRejection: [
    'shutdown.pg',
    'a promise that fails unheard is logged, what runs is finished, and the process ends with 1',
  ],
  'JWT secret missing or <32 bytes': ['process', '%s=%s refuses to start with one line that names it'],
  'expiry "24"': ['process', '%s=%s refuses to start with one line that names it'],
  'Schemathesis 1,000/endpoint': ['random-rest.long', 'random calls of %s are all answered as documented'],
};
