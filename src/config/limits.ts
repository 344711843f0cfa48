/** Bounds that the contract or the design fixes. What an operator may set stands in `settings`. */
export const limits = Object.freeze({
  int4Max: 2_147_483_647,
  pageDefault: 1,
  perPageDefault: 15,
  perPageMax: 100,
  /** Items of one parent in a plain nested list of GraphQL; connections page through more. */
  nestedListMax: 500,
  filterValuesMax: 100,
  cursorChars: 4096,
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
  coordinateChars: 20,
  timezoneChars: 64,
  passwordMinBytes: 8,
  passwordMaxBytes: 1024,
  keyNameChars: 100,
  businessNameChars: 200,
  customValueChars: 20_000,
  customFieldOptionsMax: 200,
  /** Positions, skill levels and custom fields that a business may have, of each. */
  catalogRowsMax: 500,
  copyDaysMax: 36_500,
  /** Call times, and shifts, of an event to be copied. */
  copyRowsMax: 2000,
  /** Texts about one field that a refusal lists. */
  fieldErrorsMax: 50,
  staffNeededMax: 10_000,
  overrideReasonChars: 1000,
  bulkItemsMax: 100,
  /** Clashes that a refusal lists. */
  clashesMax: 50,
  /** Of all amounts of money (ISO 4217). */
  currency: 'USD',
  /** Longest time that a report may cover: a year and a month. */
  reportDaysMax: 400,
  reportGroupsMax: 1000,
  /** Years that a wall-clock time may lie in. */
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
  /** Of files whose names tell their content. */
  hashedAssetMaxAgeS: 31_536_000,
  /** Answers from this size on are compressed: below it, what is saved is less than a packet. */
  compressFromBytes: 2048,
  /** Up to this length on the spot, which takes 2 to 4 ms at the most; longer ones in a thread, one at a time. */
  compressInlineChars: 1_000_000,
  /** How long a browser may go by a preflight. */
  corsMaxAgeS: 3600,
  tlsVersionMin: 'TLSv1.2',
  headersMax: 100,
  requestsPerConnection: 100_000,
  /** Requests of one connection that wait for their answers at a time. */
  pipelinedMax: 32,
  rateLimitWindowS: 60,
  idempotencyKeyChars: 255,
  /** How long the first answer to a call with a key is given again. */
  idempotencyKeptS: 86_400,
  /** Expired answers that go for each that comes. */
  idempotencySweepRows: 10,
  /** One entry of the audit trail in this time for the refusals of a caller by an operation. */
  auditRefusalWindowS: 3600,
  /** The same for the failed log-ins as one user. */
  auditFailureWindowS: 60,
  /** How long shutting down waits for the collector of traces. */
  tracesFlushMs: 3000,
  /** How often at the most the log says that it does not answer. */
  tracesLostMs: 60_000,
  auditActionChars: 100,
  /** How often old entries are looked for, and how many are deleted at a time. */
  auditPruneMs: 3_600_000,
  auditPruneRows: 5000,
  /** How long Redis is not asked after it failed to answer. */
  redisPauseMs: 250,
  /** Rows of a page in which an export is read and sent. */
  csvPageRows: 500,
  /** When to try again while as many exports run as may. */
  exportRetryS: 5,
  /** Answers that are kept at the least: none is larger than its share. */
  answersKeptMin: 8,
  /** What an answer that is kept takes beside its bytes. */
  answerOverheadBytes: 512,
  answerDigestChars: 22,
  /** Requests of which is remembered that they were asked, so that their answers are kept when they are asked again. */
  askedRemembered: 5000,
  /** GraphQL requests of which is remembered what they cost and ask for. */
  operationsRemembered: 5000,
  graphqlTokens: 2000,
  /** Fields below one another. */
  graphqlDepth: 15,
  graphqlAliases: 100,
  graphqlDirectives: 50,
  graphqlRootFields: 50,
  /** Objects that one operation may read at the most: page sizes multiplied along each path. */
  graphqlCost: 50_000,
  /** Items that a list without a page size counts for in the cost. */
  graphqlAssumedItems: 10,
  /** Queries that are kept compiled, and how often one is interpreted before. */
  graphqlCompiledMax: 200,
  graphqlCompileAfter: 1,
  /** Errors of one document that are told, before it is not read any further. */
  graphqlErrorsMax: 4,
  /** By how much of what is in use the heap may grow before it is collected; V8 itself would take a multiple. */
  heapGrowthPercent: 20,
  /** Texts of statements that each connection keeps prepared. */
  preparedStatements: 200,
  transactionRetries: 3,
  /** For a transaction that is over its time to end, before its caller is told so. */
  transactionGraceMs: 500,
  /** Longer than Node takes a request line: Fastify itself would answer 414. */
  pathParameterChars: 16_384,
  /** How often is looked whether the process keeps up. */
  loopCheckMs: 250,
  /** How often request time-outs are looked at. */
  connectionsCheckMs: 1000,
  migrationLockWaitMs: 60_000,
  migrationLockPollMs: 100,
  databaseRetryMs: 1000,
  zonesRemembered: 2000,
  /** check-isolation: longest wait for an answer and for a rate limit, and how often in a row it waits for the latter. */
  isolationAnswerMs: 60_000,
  isolationWaitS: 900,
  isolationLimitedInARowMax: 10,
  seedTransactionMs: 60_000,
  seedStatementMs: 600_000,
  seedChunkEvents: 1000,
  seedEventsMax: 5_000_000,
});

/** Requests a minute, by the business's plan. */
export const rateLimitByPlan = Object.freeze({ free: 60, basic: 120, professional: 300, enterprise: 1000 });

export interface AttemptLimit {
  /** Whose tries are counted: those of an IP address, or of a user or API key. */
  readonly by: 'address' | 'caller';
  /** The input field that each value of is counted by itself. */
  readonly field?: string;
  /** What uses it up: every call, or those that fail; then a success gives back what was counted. */
  readonly of: 'calls' | 'failures';
  readonly max: number;
  readonly windowS: number;
}

/**
 * Operations that can be tried only so often, in both dialects together, beside the budget. A window ends its time after
 * its first try, however many follow: nobody is locked out for good.
 */
export const attemptLimits = Object.freeze({
  logIn: [
    { by: 'address', field: 'email', of: 'failures', max: 5, windowS: 900 },
    { by: 'address', of: 'failures', max: 50, windowS: 900 },
  ],
  changePassword: [{ by: 'caller', of: 'failures', max: 5, windowS: 900 }],
  resetPassword: [{ by: 'caller', of: 'calls', max: 30, windowS: 900 }],
  openExport: [{ by: 'caller', of: 'calls', max: 30, windowS: 900 }],
} as const satisfies Record<string, readonly AttemptLimit[]>);
