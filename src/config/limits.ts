/** Limits that the contract or the design fixes. Those that an operator can set stand in `settings`. */
export const limits = Object.freeze({
  int4Max: 2_147_483_647,
  pageDefault: 1,
  perPageDefault: 15,
  perPageMax: 100,
  /** Items of one parent in a plain nested list of GraphQL. Connections can page through more. */
  nestedListMax: 500,
  filterValuesMax: 100,
  cursorChars: 4096,
  /** Entries of the change log that one answer about changes is made of. */
  changesPageDefault: 100,
  changesPageMax: 500,
  /** Longest global id of GraphQL. */
  globalIdChars: 100,
  /** Ids in one call of `nodes`. */
  nodesMax: 100,
  titleChars: 200,
  venueNameChars: 250,
  addressChars: 200,
  cityChars: 200,
  stateChars: 50,
  zipChars: 50,
  shortTextChars: 200,
  longTextChars: 20_000,
  nameChars: 200,
  emailChars: 254,
  phoneChars: 40,
  coordinateChars: 20,
  timezoneChars: 64,
  passwordMinBytes: 8,
  passwordMaxBytes: 1024,
  keyNameChars: 100,
  screenNameChars: 100,
  /** Screens of a business, those that wait for their board token included. */
  screensMax: 50,
  /** How long a screen shows one code. An approval holds for so long as well. */
  screenCodeS: 600,
  /** Letters and digits of the code that a screen shows: five bits each. */
  screenCodeChars: 8,
  /** Random bytes of the secret behind a code. */
  screenSecretBytes: 32,
  screenSecretChars: 100,
  /** Events in one read of a screen. */
  screenEventsMax: 200,
  /** `lastSeenAt` of a screen is kept to so many seconds. */
  screenSeenResolutionS: 60,
  webhookUrlChars: 2000,
  /** Endpoints whose secrets are read at a time to be encrypted under the first key. */
  webhookResealRows: 500,
  webhookDescriptionChars: 200,
  /** Webhooks of a business. Each of them reads its changes for itself. */
  webhooksMax: 50,
  webhookSecretBytes: 32,
  /** How long the secret before a rotation signs messages as well. */
  webhookRotationS: 86_400,
  /** Messages that one call sends again. */
  webhookResendMax: 1000,
  /** Attempts of a message that are listed, the newest ones. */
  webhookAttemptsListed: 100,
  /** Longest lifetime of an API key that expires: about ten years. */
  keyLifetimeDaysMax: 3650,
  /** Length of the scopes that a log-in asks for. All of them together are shorter. */
  scopeTextChars: 200,
  businessNameChars: 200,
  /** Rows of a business that are read or written in one statement when it moves, and how long the transaction may last. */
  moveRows: 200,
  moveBatchChars: 4_194_304,
  moveTimeoutMs: 86_400_000,
  /** Longest line of the file of a business: one row, whose texts are bounded. */
  moveLineBytes: 16_777_216,
  customValueChars: 20_000,
  /** All custom field values of an event together. */
  customValuesChars: 200_000,
  customFieldOptionsMax: 200,
  /** Rows that a business may have in each catalog: positions, skill levels and custom fields. */
  catalogRowsMax: 500,
  copyDaysMax: 36_500,
  /** Call times that an event to be copied may have, and also shifts. */
  copyRowsMax: 2000,
  /** Fields that an error names, and messages about each of them. */
  errorFieldsMax: 20,
  fieldErrorsMax: 50,
  /** Longest name of the caller's choice that an error repeats. */
  errorNameChars: 100,
  /** Longest message of graphql-js that an answer repeats. */
  errorMessageChars: 1000,
  staffNeededMax: 10_000,
  overrideReasonChars: 1000,
  bulkItemsMax: 100,
  /** Clashes that an error lists. */
  clashesMax: 50,
  /** Currency of all amounts of money (ISO 4217). */
  currency: 'USD',
  /** Longest period that a report may cover: about a year and a month. */
  reportDaysMax: 400,
  reportGroupsMax: 1000,
  /** First and last year of a wall-clock time. */
  yearMin: 1970,
  yearMax: 2999,
  tokenLifetimeS: 86_400,
  metricsTokenBytesMin: 16,
  signingSecretBytesMin: 32,
  /** Credentials longer than this are refused unread. */
  credentialChars: 4096,
  keyUseResolutionS: 60,
  hstsMaxAgeS: 31_536_000,
  assetMaxAgeS: 3600,
  /** Days for which /.well-known/security.txt is valid. RFC 9116 recommends less than a year. */
  securityTextDays: 180,
  /** Cache lifetime of files whose names contain a hash of their content. */
  hashedAssetMaxAgeS: 31_536_000,
  /** Smallest answer that is compressed. Below this size, compression saves less than one packet. */
  compressFromBytes: 2048,
  /**
   * Longest answer that is compressed on the main thread, which takes at most 2 to 4 ms. Longer ones are compressed on
   * another thread, one at a time.
   */
  compressInlineChars: 1_000_000,
  /** How long a browser may cache the answer to a preflight request. */
  corsMaxAgeS: 3600,
  tlsVersionMin: 'TLSv1.2',
  headersMax: 100,
  requestsPerConnection: 100_000,
  /** Requests of one connection that are handled at the same time. Further pipelined ones wait. */
  pipelinedMax: 32,
  rateLimitWindowS: 60,
  /** Smallest part of a request that the rate limit counts: a light read, or an answer 304, costs one of so many parts. */
  rateLimitParts: 10,
  idempotencyKeyChars: 255,
  /** How long a repeated call with the same idempotency key gets the first answer. */
  idempotencyKeptS: 86_400,
  /** Expired answers that are deleted for each answer that is stored. */
  idempotencySweepRows: 10,
  /** Refusals of one caller by one operation get one entry of the audit trail in this window. */
  auditRefusalWindowS: 3600,
  /** Failed log-ins as one user get one entry of the audit trail in this window. */
  auditFailureWindowS: 60,
  /** How long shutdown waits for the trace collector. */
  tracesFlushMs: 3000,
  /** Shortest time between two log lines that say that the trace collector does not answer. */
  tracesLostMs: 60_000,
  /** Shortest time between two log lines that warn of the same thing, where callers could cause one with every request. */
  repeatedWarningMs: 60_000,
  auditActionChars: 100,
  /** How often old entries of the audit trail and of the change log are deleted, and how many in one statement. */
  retentionMs: 3_600_000,
  retentionRows: 5000,
  /** How often labour cost is priced anew after a position got another rate, and of how many events before it looks again. */
  outdatedStaffingMs: 60_000,
  outdatedStaffingEvents: 2000,
  /** Longest wait for the primary before a worker counts by itself, and for the metrics of a worker. */
  primaryTimeoutMs: 5000,
  metricsCollectMs: 3000,
  /** How long a new worker has to become ready before the one that it should replace stays. */
  workerReadyMs: 60_000,
  readyPollMs: 250,
  /** How long the primary waits for a worker beyond the time that the worker has to end. */
  workerEndGraceMs: 2000,
  /** Pauses before a worker that has died is started again, if it had run for less than the first of these times. */
  workerSteadyMs: 10_000,
  workerRestartMs: 1000,
  workerRestartMaxMs: 30_000,
  /** How long Redis is not asked after it has failed to answer. */
  redisPauseMs: 250,
  /**
   * A statement that takes longer than this is slow. For so long after it, its business may use only half of its share of
   * the connections.
   */
  slowStatementMs: 25,
  slowStatementRememberedMs: 1000,
  /** For so long after statements of two businesses, each of them may use only its share of the connections. */
  companyRememberedMs: 60_000,
  /** How long a statement waits for others of its own business. It is shorter than a transaction may last. */
  shareWaitMs: 4000,
  /** How long a statement waits for the only session of the embedded database. */
  sessionWaitMs: 30_000,
  /** Statements of one process that may wait for a connection. */
  statementsWaiting: 5000,
  /** Longest wait for the turn of a password hash. */
  hashWaitMs: 10_000,
  /** Longest time that an export holds the only session of the embedded database, or one of two connections. */
  exportSnapshotMs: 10_000,
  /** How long an export waits for another one to end, and how many may wait. */
  exportWaitMs: 2000,
  exportsWaiting: 20,
  /** The client of an export must take each page of it within this time, or the export ends. */
  exportPageMs: 10_000,
  /** Rows in each page of an export that is read and sent. */
  csvPageRows: 500,
  /** Retry-After of an export that is refused because too many are running. */
  exportRetryS: 5,
  /**
   * Smallest number of responses for which the cache must have room: a larger response than this share of its memory is
   * not cached.
   */
  answersKeptMin: 8,
  /** Memory that a cached response takes in addition to its bytes. */
  answerOverheadBytes: 512,
  answerDigestChars: 22,
  /** Smallest and next step in which an answer takes memory. Answers of up to one step are not counted. */
  answerStepBytes: 65_536,
  /** Answers of up to this size can use the whole memory for answers; larger ones leave a third of it free. */
  answerSmallBytes: 1_048_576,
  /** Memory of a row, beside its text, for each of its cells; and of an object in a GraphQL answer. */
  cellBytes: 32,
  objectBytes: 256,
  /** Garbage is collected after large answers have left so much, once there was none for this long. */
  garbageBytes: 16_777_216,
  garbageDelayMs: 2000,
  /** Retry-After of an answer for which there is no memory. */
  answerRetryS: 1,
  /** An answer of REST that may be longer than this is written in pieces of this many characters while it is sent. */
  answerWholeBytes: 6_291_456,
  answerPieceChars: 65_536,
  /** Request keys that the response cache remembers. A response is cached when its request comes a second time. */
  askedRemembered: 5000,
  /** How long equal requests wait for the answer to the first of them before they are answered by themselves. */
  equalRequestWaitMs: 2000,
  /** GraphQL requests whose cost and operations are remembered. */
  operationsRemembered: 5000,
  /** Different values of `Accept` whose media type is remembered, and the length of the longest one. */
  acceptsRemembered: 100,
  acceptRememberedChars: 200,
  /** Length of a GraphQL document. Its variables are sent apart from it, but two of the longest texts can be written into it. */
  graphqlChars: 50_000,
  graphqlTokens: 2000,
  /** Objects of an answer, as often as they occur in it. */
  graphqlObjects: 50_000,
  /** Depth of nested fields. */
  graphqlDepth: 15,
  graphqlAliases: 100,
  graphqlDirectives: 50,
  graphqlRootFields: 50,
  /**
   * Objects that one operation could read at most: page sizes are multiplied along each path, and a list without one counts as
   * `nestedListMax` items. Enough for a hundred events with all of their call times and all shifts of those. Few lists are that long:
   * `graphqlObjects` bounds what an answer really holds.
   */
  graphqlCost: 1_000_000_000,
  /** Items that a list without a page size is expected to have, where the size of a page of CSV is chosen. */
  graphqlExpectedItems: 10,
  /** Memory of the GraphQL documents that are kept, and the number of those of which only the digest is remembered. */
  graphqlDocumentsBytes: 16_777_216,
  graphqlDocumentsSeen: 5000,
  /** Memory of a token of a parsed document with its nodes; 350 to 500 bytes were measured. */
  graphqlTokenBytes: 512,
  /**
   * Memory of the compiled queries that are kept, and of a token in one; 30 to 1900 bytes were measured. A query of more tokens than
   * this is interpreted: it takes too long to compile.
   */
  graphqlCompiledBytes: 33_554_432,
  graphqlCompiledTokenBytes: 2048,
  graphqlCompiledTokens: 500,
  /** How often a kept query is interpreted before it is compiled. */
  graphqlCompileAfter: 1,
  /** Errors of one document that are reported. Validation stops at this number. */
  graphqlErrorsMax: 4,
  /** Errors of one answer. The answer says how many more there are. */
  graphqlAnswerErrorsMax: 10,
  /**
   * Growth of the heap, in percent of the live objects, before it is collected. V8's own default is several times as
   * much.
   */
  heapGrowthPercent: 20,
  /** Prepared statements that each connection keeps. */
  preparedStatements: 200,
  /** Largest number of events whose children are read in one round trip. */
  briefReadEvents: 50,
  transactionRetries: 3,
  /** Reads in a row that a replica could not answer, after which it is left out. One that cannot be used at all is left out at once. */
  replicaMissesMax: 5,
  /** Longest wait for a statement on a replica, after which the primary is read. */
  replicaWaitMs: 2000,
  /** First pause of a replica that was late. Each further one is twice as long, up to `CALLBOARD_REPLICA_PAUSE`. */
  replicaLatePauseMs: 10,
  /** How long a transaction that has timed out may take to end before its caller gets the error. */
  transactionGraceMs: 500,
  /**
   * Longest path parameter. It is longer than any request line that Node accepts, because Fastify's own limit would
   * answer 414.
   */
  pathParameterChars: 16_384,
  /** How often a process looks whether a business changed that has streams, and the shortest time between two looks. */
  liveLookMs: 300,
  liveLookGapMs: 20,
  /** Longest pause between two looks while the database does not answer. */
  liveRetryMs: 5000,
  /** Streams of a process that read at the same time. */
  liveReads: 4,
  /** A stream without events gets a comment this often, so that no proxy takes it for dead. */
  streamHeartbeatMs: 12_000,
  /** Events that wait for the client of a stream. One that does not take them is cut. */
  streamBufferBytes: 1_048_576,
  /** When the clients of streams come back after a shutdown, as a shortest time and a spread, so that not all come at once. */
  streamRetryMs: 1000,
  streamRetrySpreadMs: 4000,
  /** How long a shutdown waits until the clients of streams have read their end. */
  streamEndMs: 1000,
  /** Retry-After of a stream that is refused because too many are open. */
  streamRefusedS: 10,
  /** Memory of the GraphQL documents of streams that are kept. */
  streamDocumentsBytes: 2_097_152,
  /** How often the delay of the event loop is measured. */
  loopCheckMs: 250,
  /** How often request time-outs are checked. */
  connectionsCheckMs: 1000,
  migrationLockWaitMs: 60_000,
  migrationLockPollMs: 100,
  databaseRetryMs: 1000,
  /** Retry-After while a disk is full. */
  diskRetryS: 5,
  /** Room that the embedded database needs after its disk was full: a piece of its log has 16 MiB. */
  embeddedRoomBytes: 20 * 1024 * 1024,
  /** Pages that the embedded database keeps in memory. What it does not keep, it reads from its files: src/guide/performance.md#small-buffers */
  embeddedBuffersMb: 32,
  zonesRemembered: 2000,
  /** Years of time zones whose changes of the clocks are remembered. */
  zoneYearsRemembered: 5000,
  /** Last year for which tables without a rule for later years list the changes of the clocks. */
  tzTablesYearMax: 2037,
  /** Events whose instants are derived anew in one transaction, with their call times and shifts. */
  retimeEvents: 50,
  /** How often a process looks whether instants must be derived anew, and how long it waits after a failure. */
  retimeCheckMs: 3_600_000,
  retimeRetryMs: 60_000,
  /** How long a process waits while another one derives instants anew. */
  retimeBusyMs: 1000,
  /** Rows of a zone that a report of changed instants shows. */
  retimeExamples: 3,
  /** Rows of a zone that need a decision and that a report shows. */
  retimeProblems: 50,
  /**
   * check-isolation: the longest wait for an answer, the longest wait for a rate limit, and how often in a row it waits
   * for one.
   */
  isolationAnswerMs: 60_000,
  isolationWaitS: 900,
  isolationLimitedInARowMax: 10,
  /** Time for one attempt to deliver a webhook message, from the look-up of the name to the status of the answer. */
  webhookAttemptMs: 15_000,
  /** Bytes of an answer that are read, and kept of an attempt that failed; time to read them; and bytes of its headers. */
  webhookAnswerBytes: 1024,
  webhookAnswerReadMs: 2000,
  webhookAnswerHeaderBytes: 8192,
  webhookErrorChars: 300,
  /** How often a process looks for endpoints with work. */
  webhookWatchMs: 500,
  /** Shortest time between two looks, where something is known to be due. */
  webhookWatchMinMs: 20,
  /** Endpoints that one look finds. */
  webhookEndpointsAtATime: 500,
  /** Attempts of one endpoint at the same time. */
  webhookAttemptsAtATime: 4,
  /** Messages of one endpoint that a job takes at a time. */
  webhookMessagesAtATime: 20,
  /** After this time a job of an endpoint gives way to others. */
  webhookSliceMs: 10_000,
  /** A message that is taken and not finished is due again after this time: its process was killed. */
  webhookLeaseMs: 40_000,
  /** A job that has not ended after this time counts as lost. */
  webhookJobS: 40,
  /** Changes that become messages in one transaction. */
  webhookChangesAtATime: 500,
  seedTransactionMs: 60_000,
  seedStatementMs: 600_000,
  seedChunkEvents: 1000,
  seedEventsMax: 5_000_000,
  /** Changed rows of a table after which autovacuum gathers its statistics anew. */
  analyzeAfterRows: 1000,
});

/** The rule for new passwords, in words. */
export const newPasswordText = `${limits.passwordMinBytes} to ${limits.passwordMaxBytes.toLocaleString('en')} bytes. The service can be set to refuse common passwords as well (\`CALLBOARD_REFUSE_COMMON_PASSWORDS\`); by default, it accepts them`;

/** Requests per minute, by plan of the business. */
export const rateLimitByPlan = Object.freeze({ free: 60, basic: 120, professional: 300, enterprise: 1000 });

export interface AttemptLimit {
  /** The key that tries are counted by: the IP address, or the user or API key. */
  readonly by: 'address' | 'caller';
  /** Input field whose values are counted separately. */
  readonly field?: string;
  /** The calls that count: all of them, or only those that fail. With 'failures', a success resets the counter. */
  readonly of: 'calls' | 'failures';
  readonly max: number;
  readonly windowS: number;
}

/**
 * Limits on tries of single operations, over REST and GraphQL together, in addition to the rate limit. A window ends a
 * fixed time after its first try, however many tries follow, so nobody is locked out for good.
 */
export const attemptLimits = Object.freeze({
  logIn: [
    { by: 'address', field: 'email', of: 'failures', max: 5, windowS: 900 },
    { by: 'address', of: 'failures', max: 50, windowS: 900 },
  ],
  changePassword: [{ by: 'caller', of: 'failures', max: 5, windowS: 900 }],
  resetPassword: [{ by: 'caller', of: 'calls', max: 30, windowS: 900 }],
  /** Screens behind one address share these: each asks for a code every ten minutes, and claims every few seconds meanwhile. */
  screenCode: [{ by: 'address', of: 'calls', max: 60, windowS: 900 }],
  claimScreen: [{ by: 'address', of: 'calls', max: 1200, windowS: 900 }],
  /** Guesses of codes by one admin. */
  approveScreen: [{ by: 'caller', of: 'calls', max: 60, windowS: 900 }],
  /** A report reads much. The rate limit of most plans is lower. */
  report: [{ by: 'caller', of: 'calls', max: 300, windowS: 60 }],
  openExport: [{ by: 'caller', of: 'calls', max: 30, windowS: 900 }],
} as const satisfies Record<string, readonly AttemptLimit[]>);
