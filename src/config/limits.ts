/** Limits that the contract or the design fixes. Those that an operator can set stand in `settings`. */
export const limits = Object.freeze({
  int4Max: 2_147_483_647,
  perPageDefault: 15,
  perPageMax: 100,
  /** Rows that exports, jobs and clients that follow all changes read at a time. */
  pageRows: 500,
  /** Rows that one statement of the upkeep or of a seed writes or deletes, and messages that one call sends again. */
  batchRows: 1000,
  /** Values of a filter, ids or rows of a batch that one call may name. */
  namedItemsMax: 100,
  /** Clashes, messages about one field, and rows to decide on that are shown; the rest is counted. */
  listedMax: 50,
  /** Screens, or webhooks, of a business, and calendar feeds of a person. Each of them reads its changes for itself. */
  receiversMax: 50,
  /**
   * Items of a list that comes as a whole: of one parent in GraphQL, where connections can page through more; of a catalog of a
   * business; of a person's qualifications, former ones included, and of their patterns and exceptions; of options of a custom field;
   * of people to offer to.
   */
  wholeListMax: 500,
  textChars: 200,
  venueNameChars: 250,
  /** State or zip code. */
  regionChars: 50,
  longTextChars: 20_000,
  /** Reasons and messages of errors: a paragraph. */
  remarkChars: 1000,
  /** Names of keys, screens and actions, and ids: what is read at a glance. */
  labelChars: 100,
  /** Longest cursor, and longest credential that is read at all. */
  tokenChars: 4096,
  emailChars: 254,
  phoneChars: 40,
  coordinateChars: 20,
  timezoneChars: 64,
  passwordMinBytes: 8,
  passwordMaxBytes: 1024,
  /** Length of secrets that are made here, and the shortest one that may be set. */
  secretBytes: 32,
  /** Lifetime of a personal access token, and of the secret of a webhook after its rotation. */
  credentialLifetimeS: 86_400,
  /** Lifetime of a log-in that a browser keeps, and of the personal tokens made from it. */
  sessionLifetimeS: 2_592_000,
  sessionTokenS: 900,
  /** How long the link of an invitation holds: three days. */
  invitationS: 259_200,
  /** How long a screen shows one code. An approval holds for so long as well. */
  screenCodeS: 600,
  screenEventsMax: 200,
  webhookUrlChars: 2000,
  /** Longest lifetime of an API key that expires: about ten years. */
  keyLifetimeDaysMax: 3650,
  /** Longest line of the file of a business: one row, whose texts are bounded. */
  moveLineBytes: 16_777_216,
  customValuesChars: 200_000,
  /** Figures of the database that take longer to read than this are not read for each request of the metrics. */
  slowFigureMs: 250,
  /** Highest level of a qualification. The lowest is 1. */
  levelMax: 5,
  /** Days before its end from which on a held qualification is announced to webhooks, and listed unless the caller says otherwise. */
  expiringDays: 30,
  /** Call times that a new event may bring, and people on all of them together. */
  eventCallTimesMax: 50,
  eventPeopleMax: 200,
  copyDaysMax: 36_500,
  /** Rows of one kind that are read together where no page is asked for: of an event to be copied, of booked shifts, and of a feed. */
  wholeReadMax: 2000,
  errorFieldsMax: 20,
  staffNeededMax: 10_000,
  /** Longest time between the waves of an offer: a week. */
  waveMinutesMax: 10_080,
  /** How often a process with jobs looks for offers whose time is over, and for forgotten check-outs. */
  offersLookMs: 10_000,
  /** How long a place that became free is held for the next person on the waitlist, where they are asked first; at night, from its end on. */
  heldPlaceS: 7200,
  /** Minutes before the start from which on staff can check in, and hours after the end until which they can, and after which the service closes. */
  checkInBeforeMin: 60,
  checkInAfterH: 4,
  /** Minutes after the start from which on a check-in is late, and hours before it from which on a decline is. */
  lateAfterMin: 5,
  declineLateH: 24,
  /** Days for which candidates are held responsible for either, and for no-shows. */
  reliabilityDays: 90,
  /** Minutes after the start from which on somebody counts as missing, and days for which they are listed so. */
  missingAfterMin: 30,
  missingDays: 7,
  /** Where nobody was checked in or noted for so long, nobody is late either. */
  notedWithinDays: 30,
  /**
   * How long a log-in's secret holds on once it was replaced, and the code on a screen of an event, which is shown for as long. So long
   * a check on such a screen is taken for the one before.
   */
  replacedS: 30,
  /** Wrong codes in a row after which a person, and an event, are locked. */
  wrongCodesOfPerson: 5,
  wrongCodesOfEvent: 1000,
  /** Longest stay at a shift that is to be shorter, or has no known length. A longer shift may run over by half of it. */
  stayHoursMax: 24,
  /** What calendar feeds show: events in these days before today, and canceled ones for some days. */
  feedDaysBack: 60,
  feedCanceledDays: 30,
  /** How long the address of a feed works after its rotation. */
  feedRotationS: 604_800,
  /** How long calendar programs may keep a feed. */
  feedAgeS: 300,
  /** Rows of one payroll. */
  payrollRowsMax: 20_000,
  /** Reminders of one shift, and the longest time before its start: two weeks. */
  remindersMax: 5,
  reminderHoursMax: 336,
  /** How often a process looks for mails to send, and for requests that took too long. */
  checkMs: 1000,
  /** How long a link to set a new password works. */
  passwordLinkS: 3600,
  /** Links to a new password that are mailed to one address within the time for which they work. */
  passwordLinksMax: 20,
  /** Days for which mails are kept, after an event the wrong codes that were sent at it, and feeds of deleted users. */
  keptDays: 180,
  /** Hours of the night, in which nobody gets a place from the waitlist without being asked, and mails that can wait do. */
  quietFromHour: 22,
  quietToHour: 7,
  /** Longest span of days that a report covers, or a feed shows from today on: about a year and a month. */
  spanDaysMax: 400,
  /** Hours of a week: the most that a rule about rest, hours of a week or overtime may name. */
  weekHours: 168,
  /** Longest time before a start within which cancellations are looked for: a year. */
  canceledWithinHoursMax: 8784,
  /** From how many hours before its start on a canceled shift counts as canceled late in a report. */
  canceledLateHours: 48,
  reportGroupsMax: 1000,
  /** First and last year of a wall-clock time. */
  yearMin: 1970,
  yearMax: 2999,
  metricsTokenBytesMin: 16,
  /** How long browsers keep to https, and keep files whose names contain a hash of their content. */
  hstsMaxAgeS: 31_536_000,
  /** How long browsers keep other files, and the answer to a preflight request. */
  browserCacheS: 3600,
  /** Days for which /.well-known/security.txt is valid. RFC 9116 recommends less than a year. */
  securityTextDays: 180,
  /** Smallest answer that is compressed. Below this size, compression saves less than one packet. */
  compressFromBytes: 2048,
  headersMax: 100,
  /** Largest body of a request without a credential, such as a log-in: anybody can send it, and have it parsed. */
  anonymousBodyBytes: 32_768,
  /** Requests of one connection that are handled at the same time. Further pipelined ones wait. */
  pipelinedMax: 32,
  rateLimitWindowS: 60,
  /** All log-ins on the pages of a business together may make so many times the requests of its plan. */
  pagesShare: 10,
  /** Smallest part of a request that the rate limit counts: a light read, or an answer 304, costs one of so many parts. */
  rateLimitParts: 10,
  /** Rows of a batch that a further point stands for. */
  rowsAPoint: 25,
  /** Objects of GraphQL that a point stands for. The point of the request stands for the first of them. */
  objectsAPoint: 5000,
  /** Share of the rate limit that streams leave to requests. */
  requestsShare: 1 / 3,
  idempotencyKeyChars: 255,
  /** How long a repeated call with the same idempotency key gets the first answer. */
  idempotencyKeptS: 86_400,
  /** Expired answers that are deleted for each answer that is stored. */
  idempotencySweepRows: 10,
  /** Refusals of one caller by one operation get one entry of the audit trail in this window. */
  auditRefusalWindowS: 3600,
  /**
   * A read that takes longer than this is slow. For so long after it, its business may use only half of its share of the
   * connections.
   */
  slowReadMs: 25,
  slowReadRememberedMs: 1000,
  /** For so long after operations of two businesses, each of them may use only its share of the connections. */
  companyRememberedMs: 60_000,
  /** How long an operation waits for its turn. It is shorter than a transaction may last. */
  turnWaitMs: 4000,
  /** How long an operation waits for the only session of the embedded database. */
  sessionWaitMs: 30_000,
  operationsWaiting: 5000,
  exportsWaiting: 20,
  /**
   * Smallest number of responses for which the cache must have room: a larger response than this share of its memory is
   * not cached.
   */
  answersKeptMin: 8,
  /** Cells of rows that are counted for an answer at once. */
  cellsAtOnce: 64,
  /** Step in which an answer takes memory, smallest and next; a long answer is counted in such pieces, and an export is sent in them. */
  answerStepBytes: 65_536,
  /**
   * Longer answers leave a third of the memory for answers free, and are compressed on another thread, one at a time: up to this
   * length, compression takes at most 2 to 4 ms.
   */
  longAnswerBytes: 1_048_576,
  /** Length of a GraphQL document. Its variables are sent apart from it, but two of the longest texts can be written into it. */
  graphqlChars: 50_000,
  graphqlTokens: 2000,
  /** Objects of an answer, as often as they occur in it. */
  graphqlObjects: 50_000,
  /**
   * Objects that an answer hands out in one go. Lists beyond that are held back until the lists below them are counted, and other
   * requests are served between them.
   */
  graphqlBatchObjects: 1000,
  /** Depth of nested fields. */
  graphqlDepth: 15,
  graphqlAliases: 100,
  /** Root fields of an operation, and directives. */
  graphqlRootFields: 50,
  /**
   * Objects that one operation is expected to read at most: page sizes are multiplied along each path, and a list without one counts
   * as `graphqlExpectedItems`. Pages are seldom full, so this is 20 times what an answer may hold (`graphqlObjects`), which is
   * judged by the real sizes of the lists.
   */
  graphqlCost: 1_000_000,
  /** Shifts of a colleague that are listed to be swapped for: the next ones. */
  swapShiftsMax: 50,
  /** Objects below `__schema` and `__type` in one operation, in full introspections. */
  graphqlIntrospections: 2,
  /** Points of a full introspection whose answer is not in memory: it takes some 50 ms, in which nobody else is served. */
  introspectionPoints: 5,
  /** Memory of the answers to introspection that are kept, 0.5 MB each if it is full. */
  graphqlIntrospectionBytes: 8_388_608,
  /** Items that a list without a page size is expected to have. */
  graphqlExpectedItems: 10,
  graphqlDocumentsBytes: 16_777_216,
  /**
   * Memory of the compiled queries that are kept. A query of more tokens than this is interpreted: it takes too long to compile.
   */
  graphqlCompiledBytes: 33_554_432,
  graphqlCompiledTokens: 500,
  /** Errors of one document that are reported. Validation stops at this number. */
  graphqlErrorsMax: 4,
  /** Errors of one answer. The answer says how many more there are. */
  graphqlAnswerErrorsMax: 10,
  /** Prepared statements that each connection keeps. */
  preparedStatements: 200,
  /** Longer statements, such as those that write many rows, are not prepared. */
  preparedStatementChars: 10_000,
  /** A stream that computes for longer than this is followed by a pause of the same length. */
  liveShortTurnMs: 10,
  /** A stream without events gets a comment this often, so that no proxy takes it for dead. */
  streamHeartbeatMs: 12_000,
  /** Memory of the GraphQL documents of streams that are kept. */
  streamDocumentsBytes: 2_097_152,
  /** How often the state of something that is about to change is asked for. */
  pollMs: 100,
  /** How often a process looks for changes of businesses that have streams, for webhooks with work, and at the delay of its event loop. */
  lookMs: 300,
  /** Shortest time between two such looks, and the first pause of a replica that was late: each further one is twice as long. */
  lookGapMs: 20,
  /** First pause before something that has failed is tried again, and the longest one where each is twice as long as the one before. */
  retryMs: 1000,
  retryMaxMs: 4000,
  /** How often in a row something is tried that others keep from succeeding. */
  triesMax: 5,
  /** How often background work looks whether there is something to do, and how often old rows are deleted. */
  jobRetryMs: 60_000,
  housekeepingMs: 3_600_000,
  /**
   * How long a request waits for what it can do without or be refused for, and for what it cannot. An export waits for so long until
   * its client takes a page, and may hold the only session of the embedded database, or one of two connections.
   */
  shortWaitMs: 2000,
  longWaitMs: 10_000,
  /** How long a migration waits for a lock: shorter than PostgreSQL's `deadlock_timeout` of a second, so that requests never lose. */
  migrationLockWaitMs: 300,
  /** How long a command waits for an answer or a transaction, and half of the time for which a migration tries to get its locks. */
  commandWaitMs: 60_000,
  /** How long a process that ends waits for others to notice, and a caller for the end of a transaction that has timed out. */
  endMs: 1000,
  /**
   * How long a loss must last before the log tells of it, and no client open a connection before a process stops listening. Redis is
   * not asked for so long after it has failed to answer.
   */
  settleMs: 250,
  /** How many reads of streams, or attempts of one webhook, run at the same time. */
  parallelMax: 4,
  /** Keys that a memory of what was asked lately keeps at most. */
  remembered: 5000,
  /**
   * Times of last use are kept to this. Failed log-ins as one user get one entry of the audit trail in it, and what callers could
   * cause with every request one line of the log.
   */
  resolutionS: 60,
  /** Retry-After of what is refused because the service is busy, a report took too long, or a disk is full. */
  busyRetryS: 5,
  /** Pages that the embedded database keeps in memory. What it does not keep, it reads from its files: src/guide/performance.md#small-buffers */
  embeddedBuffersMb: 32,
  /** Events whose instants are derived anew in one transaction, with their call times and shifts. */
  retimeEvents: 50,
  /** Rows of a zone that a report of changed instants shows. */
  retimeExamples: 3,
  /** Time for one attempt to deliver a webhook message, from the look-up of the name to the status, and for an answer of a mail server. */
  deliveryMs: 15_000,
  /** Shortest time of an answer that must not tell by its time what was found: of a look-up without a public address, and to who asks for a new password. */
  evenAnswerMs: 1000,
  /** Longest time to look up the name of a receiver of messages or mails, and to be connected to and greeted by it. */
  connectMs: 5000,
  /** Bytes of an answer that are read, and kept of an attempt that failed. */
  webhookAnswerBytes: 1024,
  /** Messages of an endpoint, or mails of a process, that are taken at a time. Half as many mails have a connection. */
  messagesAtATime: 20,
  /** After this time a job of an endpoint gives way to others. */
  webhookSliceMs: 10_000,
  /** First and longest pause after a mail server did not answer, or refused the service, before one mail asks for it again. */
  mailPauseMs: 5000,
  mailPauseMaxMs: 30_000,
  /** A message or mail that is taken and not finished is due again after this time, and its job counts as lost: its process was killed. */
  leaseMs: 60_000,
  /** How long the transaction may last in which a command moves a business or makes a large one. */
  longCommandMs: 86_400_000,
});

/** Currency of all amounts of money (ISO 4217). */
export const currency = 'USD';

/** The rule for new passwords, in words. */
export const newPasswordText = `${limits.passwordMinBytes} to ${limits.passwordMaxBytes.toLocaleString('en')} bytes. The service can be set to refuse common passwords as well (\`CALLBOARD_REFUSE_COMMON_PASSWORDS\`); by default, it accepts them`;
export const withoutPasswordText =
  'for a user who sets their first password by an invitation, and cannot log in before.';

export const rateLimitByPlan = Object.freeze({ free: 60, basic: 120, professional: 300, enterprise: 1000 });

/** Whose rate limit a request is counted against, in words. */
export const rateLimitText =
  'REST, GraphQL and all keys, tokens and screens of a business share one, that of its plan. People who are logged in on the pages of the service are counted apart, each by themselves. Without a credential, it belongs to the IP address.';

/** The setting by which a business tells who is late before it ever noted somebody, in words. */
export const alwaysTellsLateText = `Whether people who have not come are told to be late also where nobody was checked in or noted for ${limits.notedWithinDays} days.`;

/** Mails that a business may send in 24 hours, and those of them that one person may get. */
export const mailsADayByPlan = Object.freeze({
  free: { all: 500, each: 10 },
  basic: { all: 2000, each: 20 },
  professional: { all: 10_000, each: 30 },
  enterprise: { all: 100_000, each: 50 },
});

/** Points that one request may cost: nobody may need more than a minute of the smallest plan for it. */
export const requestPointsMax = rateLimitByPlan.free;

export interface AttemptLimit {
  /** The key that tries are counted by: the IP address, the user or API key, or the value of the field alone. */
  readonly by: 'address' | 'caller' | 'value';
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
  invite: [{ by: 'caller', of: 'calls', max: 300, windowS: 900 }],
  claimInvitation: [
    { by: 'address', field: 'secret', of: 'failures', max: 5, windowS: 900 },
    { by: 'address', of: 'failures', max: 50, windowS: 900 },
  ],
  /** Guesses of the secrets in mails. */
  mailLink: [{ by: 'address', of: 'failures', max: 50, windowS: 900 }],
  forgetPassword: [
    { by: 'address', field: 'email', of: 'calls', max: 5, windowS: 3600 },
    { by: 'address', of: 'calls', max: 30, windowS: 3600 },
  ],
  /** Calendar programs of many people can share an address. The first limit counts by the whole address of a feed, which has its secret. */
  useFeed: [
    { by: 'value', field: 'file', of: 'calls', max: 300, windowS: 300 },
    { by: 'address', of: 'calls', max: 3000, windowS: 300 },
  ],
  useSession: [{ by: 'address', of: 'failures', max: 50, windowS: 900 }],
  changePassword: [{ by: 'caller', of: 'failures', max: 5, windowS: 900 }],
  resetPassword: [{ by: 'caller', of: 'calls', max: 30, windowS: 900 }],
  /** Screens behind one address share these: each asks for a code every ten minutes, and claims every few seconds meanwhile. */
  screenCode: [{ by: 'address', of: 'calls', max: 60, windowS: 900 }],
  claimScreen: [{ by: 'address', of: 'calls', max: 1200, windowS: 900 }],
  /** Guesses of codes by one admin. */
  approveScreen: [{ by: 'caller', of: 'calls', max: 60, windowS: 900 }],
  /** People who check in on one screen, and what they mistype. */
  checkOnScreen: [{ by: 'caller', of: 'failures', max: 100, windowS: 900 }],
  /** A report reads much. The rate limit of most plans is lower. */
  report: [{ by: 'caller', of: 'calls', max: 300, windowS: 60 }],
  openExport: [{ by: 'caller', of: 'calls', max: 30, windowS: 900 }],
} as const satisfies Record<string, readonly AttemptLimit[]>);
