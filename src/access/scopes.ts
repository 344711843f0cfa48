import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { noteOrigin, type ChangeOrigin } from '../db/change-log.ts';
import type { Database } from '../db/engine/database.ts';
import type { Read } from '../db/engine/reads.ts';
import type { Unsettled } from '../db/places.ts';
import { bindSnapshot, bindToBusiness, rawOf, type TenantDb } from '../db/tenant.ts';
import type { Visibility } from '../db/visibility.ts';
import type { Failure } from '../errors.ts';
import { idOfActor, type Actor, type KnownActor } from './actor.ts';
import type { Attempts } from './attempts.ts';
import type { Audit } from './audit.ts';
import { useFeed } from './authenticate.ts';
import type { Change, RecordedChange } from './change.ts';
import type { ClaimInvitation } from './invitations.ts';
import type { KeyedDigests } from './keyed-digests.ts';
import type { Live } from './live.ts';
import type { LogIn } from './log-in.ts';
import type { MailLinks } from './mail-links.ts';
import type { OperationRecord } from './operation-record.ts';
import type { Passwords } from './passwords.ts';
import type { RateLimitState } from './rate-limits.ts';
import { ReplicaReads, type ReplicaReadsParts, type WatchOperation } from './replica-reads.ts';
import type { Call, CallScope, Capabilities, PublicCall, Scope, WriteCount } from './scope.ts';
import type { ScreenPairing } from './screen-pairing.ts';
import type { SecretBox } from './secret-box.ts';
import type { Sessions } from './sessions.ts';
import { holdSnapshot, type SnapshotScope } from './snapshot.ts';
import { retryConflicts } from './transaction.ts';
import type { Turns } from './turns.ts';

/** The request that a scope is opened for. */
interface CallRequest {
  readonly log: FastifyBaseLogger;
  /** IP address of the caller. */
  readonly address: string;
  readonly requestId: string;
  readonly userAgent: string | null;
  readonly rateLimit: () => RateLimitState;
  readonly used: (operation: OperationRecord) => void;
  readonly writes: WriteCount;
  readonly payForRows: PublicCall['payForRows'];
  /** Notes that the answer holds rows of a later data version than that of the actor. */
  readonly onLaterRevision: () => void;
}

export interface ScopeParts {
  readonly database: Pick<Database, 'prisma' | 'read' | 'snapshot'>;
  /** Null without replicas. */
  readonly replicaReads: ReplicaReadsParts | null;
  readonly turns: Turns;
  readonly transactionTimeoutMs: number;
  readonly exports: Config['exports'];
  readonly clock: () => Date;
  readonly logIn: LogIn;
  readonly screenPairing: ScreenPairing;
  readonly sessions: Sessions;
  readonly claimInvitation: ClaimInvitation;
  readonly mailLinks: MailLinks;
  readonly passwords: Passwords;
  readonly keyedDigests: KeyedDigests;
  readonly checkInDigests: KeyedDigests;
  readonly secretBox: SecretBox;
  readonly findWebhookUrlFaults: Capabilities['findWebhookUrlFaults'];
  readonly attempts: Attempts;
  readonly audit: Audit;
  readonly live: Live;
  /** Lets offers and swaps follow what a transaction has changed. */
  readonly settle: (scope: Scope) => Promise<void>;
  /** Called with each change that a write recorded, once it is committed. */
  readonly onRecorded?: ((change: RecordedChange) => void) | undefined;
}

export interface Scopes {
  open(actor: Actor, request: CallRequest): CallScope;
}

/** The only maker of scopes, and so of the databases that operations may touch. */
export function createScopes(parts: ScopeParts): Scopes {
  const open: Scopes['open'] = (actor, request) => {
    const call = openCall(parts, actor, request, open);
    if (actor.kind === 'anonymous') return { actor, call };
    const { prisma, read } = parts.database;
    const bound = bindToBusiness(prisma, actor.businessId, visibilityOf(actor), read);
    const reads = parts.replicaReads && replicaReadsOf(parts, parts.replicaReads, actor, request);
    const known: KnownCall = {
      parts,
      actor,
      request,
      call: reads ? { ...call, used: reads.watch(call.used) } : call,
      bound,
      reads,
      capabilities: capabilitiesOf(parts, actor, call, reads, () => known),
    };
    return scopeOutside(known, null);
  };
  return { open };
}

function openCall(
  {
    database,
    clock,
    logIn,
    screenPairing,
    sessions,
    claimInvitation,
    mailLinks,
    passwords,
    attempts,
    audit,
  }: ScopeParts,
  actor: Actor,
  request: CallRequest,
  open: Scopes['open'],
): PublicCall {
  // Opened for the first operation whose tries are limited, as most are not.
  let limiting: ReturnType<Attempts['of']> | undefined;
  const limited = () => (limiting ??= attempts.of(actor, request.address));
  return {
    log: request.log,
    attempt: (operation, input, run) =>
      operation.attempts.length === 0 ? run() : limited().attempt(operation, input, run),
    limitField: (operation, field) => limited().limitField(operation, field),
    used: request.used,
    writes: request.writes,
    payForRows: request.payForRows,
    refused: (operation, refusal) => audit.refused(actor, request, operation, refusal),
    capabilities: {
      logIn: (email, password, kind) => logIn.makeToken(email, password, kind, request),
      issueScreenCode: screenPairing.issue,
      claimScreen: (secret) => screenPairing.claim(secret, request),
      claimInvitation: (secret, password) => claimInvitation(secret, password, request),
      isSendingMail: mailLinks.isSending,
      newMailLink: mailLinks.newLink,
      openMailedOffer: async (secret) => {
        const opened = await mailLinks.openOffer(secret);
        return opened && { ...opened, scope: open(opened.actor, request) as Scope };
      },
      useFeed: async (publicId, secret) => {
        const used = await useFeed(database, publicId, secret, clock());
        return used && { feed: used.feed, scope: open(used.actor, request) as Scope };
      },
      forgetPassword: mailLinks.forgetPassword,
      setForgottenPassword: (secret, password) => mailLinks.setPassword(secret, password, request),
      unsubscribe: mailLinks.unsubscribe,
      isTooCommon: passwords.isTooCommon,
      keepLogIn: (email, password) => logIn.keep(email, password, request),
      useSession: (cookie) => sessions.use(cookie, request),
      endSession: (cookie) => sessions.end(cookie, request),
      rateLimit: request.rateLimit,
    },
  };
}

function replicaReadsOf(
  { exports }: ScopeParts,
  replicaReads: ReplicaReadsParts,
  actor: KnownActor,
  { onLaterRevision }: CallRequest,
): ReplicaReads {
  const { businessId, revision } = actor;
  return new ReplicaReads({
    ...replicaReads,
    businessId,
    revision,
    exportTimeoutMs: exports.timeoutMs,
    onLaterRevision,
  });
}

/** The state that all scopes of one call of a known caller share. */
interface KnownCall {
  readonly parts: ScopeParts;
  readonly actor: KnownActor;
  readonly request: CallRequest;
  readonly call: PublicCall;
  readonly bound: ReturnType<typeof bindToBusiness>;
  readonly reads: ReplicaReads | null;
  readonly capabilities: Capabilities;
}

type CurrentOperation = OperationRecord | null;

function scopeOutside(known: KnownCall, operation: CurrentOperation): Scope {
  const { parts, actor, bound } = known;
  return {
    actor,
    businessId: actor.businessId,
    db: bound.db,
    clock: parts.clock,
    get origin() {
      return originOf(known, operation);
    },
    pageRowsMax: limits.perPageMax,
    isAtomic: false,
    transaction: <T, R>(run: Run<T>, read?: ReadAnswer<T, R>) => runTransaction(known, operation, run, read),
    unsettled: null,
    record: (change) => {
      const recorded = recordedBy(operation, change);
      if (recorded.operation.audited) throw new Error('An audited operation records inside its transaction.');
      known.request.writes.count++;
      parts.live.committed(actor.businessId);
      parts.onRecorded?.(recorded);
    },
    call: callOf(
      known,
      operation
        ? (inner, run) => run(scopeOutside(known, inner))
        : (inner, run) => parts.turns.take(actor, inner, () => run(scopeOutside(known, inner))),
      known.reads && ((inner, run) => readOnReplica(known, known.reads!, inner, run)),
    ),
  };
}

/** The database of the caller whose SQL goes through a read. Prisma's models are read from the primary. */
const bindReads = ({ parts, actor }: KnownCall, read: Read): TenantDb =>
  bindToBusiness(parts.database.prisma, actor.businessId, visibilityOf(actor), read).db;

const bindSnapshotOf = (actor: KnownActor, read: Read): TenantDb =>
  bindSnapshot(actor.businessId, visibilityOf(actor), read);

/** Runs an operation in a scope that reads one snapshot of a replica. An operation within it that must not do so reads the primary. */
function readOnReplica<T>(
  known: KnownCall,
  reads: ReplicaReads,
  operation: OperationRecord,
  run: (scope: Scope) => Promise<T>,
): Promise<T> {
  const scopeReading = (read: Read, own: OperationRecord): Scope => ({
    ...scopeOutside(known, own),
    db: bindReads(known, read),
    call: callOf(known, (inner, runInner) =>
      runInner(inner.replica === 'never' ? scopeOutside(known, inner) : scopeReading(read, inner)),
    ),
  });
  return reads.read(known.parts.database.read, (read) => run(scopeReading(read, operation)));
}

/** What a transaction keeps until it commits. */
interface Kept {
  readonly changes: RecordedChange[];
  readonly unsettled: Unsettled;
}

function scopeInside(known: KnownCall, tx: TenantDb, kept: Kept, operation: CurrentOperation): Scope {
  const scope: Scope = {
    ...scopeOutside(known, operation),
    db: tx,
    isAtomic: true,
    // One within another settles as well, so that a batch and a dry run answer like single calls.
    transaction: <T, R>(run: Run<T>, read?: ReadAnswer<T, R>) => runSettled(known, scope, run, read),
    unsettled: kept.unsettled,
    record: (change) => void kept.changes.push(recordedBy(operation, change)),
    call: {
      ...callOf(known, (inner, runInner) => runInner(scopeInside(known, tx, kept, inner))),
      // Writes of the transaction count when it is committed.
      writes: { count: 0 },
      // The operation that opened the transaction keeps the refusal, once the transaction is rolled back.
      refused: async () => undefined,
    },
  };
  return scope;
}

function scopeOnSnapshot(
  known: KnownCall,
  tx: TenantDb,
  pageRowsMax: number,
  watch: WatchOperation = (_operation, run) => run(),
): SnapshotScope {
  const refusals: [OperationRecord, Failure][] = [];
  const scope: Scope = {
    ...scopeOutside(known, null),
    db: tx,
    pageRowsMax,
    transaction: <T, R>(run: Run<T>, read?: ReadAnswer<T, R>) => runSettled(known, scope, run, read),
    call: {
      ...callOf(known, (_inner, run) => run(scope)),
      // The export was counted as a whole when it was opened.
      attempt: (operation, _input, run) => watch(operation, run),
      limitField: async () => async () => undefined,
      // Nothing is written on a snapshot, and the embedded database does nothing else meanwhile.
      refused: async (operation, refusal) => void refusals.push([operation, refusal]),
    },
  };
  const keepRefusals = async () => {
    for (const [operation, refusal] of refusals) await known.call.refused(operation, refusal);
  };
  return { scope, keepRefusals };
}

/** The properties are written out, as this runs for every operation: a spread before them costs 6 % of one event. */
function callOf(known: KnownCall, inTurn: Call['inTurn'], onReplica: Call['onReplica'] = null): Call {
  const { log, attempt, limitField, used, writes, payForRows, refused } = known.call;
  return {
    log,
    attempt,
    limitField,
    used,
    writes,
    payForRows,
    refused,
    inTurn,
    onReplica,
    keyedDigests: known.parts.keyedDigests,
    capabilities: known.capabilities,
  };
}

function capabilitiesOf(
  { passwords, checkInDigests, secretBox, findWebhookUrlFaults, exports, live, database }: ScopeParts,
  actor: KnownActor,
  call: PublicCall,
  reads: ReplicaReads | null,
  known: () => KnownCall,
): Capabilities {
  const payer = { key: `business ${actor.businessId}` };
  return {
    ...call.capabilities,
    hashPassword: (password) => passwords.hash(password, payer),
    checkPassword: (storedHash, password) => passwords.check(storedHash, password, payer),
    checkInDigests,
    sealSecret: secretBox.seal,
    findWebhookUrlFaults,
    follow: () => {
      // A replica is compared with the data version at the start of a call; a stream also reads what is written later.
      reads?.stayOnPrimary();
      return live.follow(actor);
    },
    openSnapshot: (pageRowsMax) => {
      const openOnPrimary = () =>
        holdSnapshot(
          (run) => database.snapshot(exports.timeoutMs, run),
          (read) => scopeOnSnapshot(known(), bindSnapshotOf(actor, read), pageRowsMax),
        );
      return reads
        ? reads.openSnapshot(openOnPrimary, (read, watch) =>
            scopeOnSnapshot(known(), bindSnapshotOf(actor, read), pageRowsMax, watch),
          )
        : openOnPrimary();
    },
  };
}

type Run<T> = (scope: Scope) => Promise<T>;
type ReadAnswer<T, R> = (scope: Scope, made: T) => Promise<R>;

async function runSettled<T, R>(
  { parts }: KnownCall,
  scope: Scope,
  run: Run<T>,
  read: ReadAnswer<T, R> = async (_scope, made) => made as unknown as R,
): Promise<R> {
  const made = await run(scope);
  await parts.settle(scope);
  return read(scope, made);
}

/** Stores the audit entries of what was recorded in the same transaction. */
async function runTransaction<T, R>(
  known: KnownCall,
  operation: CurrentOperation,
  run: Run<T>,
  read?: ReadAnswer<T, R>,
): Promise<R> {
  const { parts, actor, request, bound } = known;
  let committed: readonly RecordedChange[] = [];
  const result = await retryConflicts(parts.transactionTimeoutMs, (timeoutMs, onEnding) =>
    bound.transact(async (tx) => {
      const changes: RecordedChange[] = [];
      if (operation?.writes) await noteOrigin(rawOf(tx), originOf(known, operation));
      const inside = scopeInside(known, tx, { changes, unsettled: new Map() }, operation);
      const answer = await runSettled(known, inside, run, read);
      const entries = changes
        .filter((change) => change.operation.audited)
        .map((change) => parts.audit.done(actor, request, change));
      if (entries.length > 0) await tx.auditEntry.createMany({ data: entries });
      committed = changes;
      onEnding();
      return answer;
    }, timeoutMs),
  );
  if (operation?.writes) {
    request.writes.count++;
    parts.live.committed(actor.businessId);
  }
  for (const change of committed) parts.onRecorded?.(change);
  return result;
}

function originOf({ actor, request }: KnownCall, operation: CurrentOperation): ChangeOrigin {
  return {
    kind: actor.kind,
    id: idOfActor(actor),
    name: actor.name,
    operation: operation?.name ?? '',
    requestId: request.requestId,
  };
}

function recordedBy(operation: CurrentOperation, change: Change): RecordedChange {
  if (!operation?.writes)
    throw new Error(`${operation?.name ?? 'Code outside an operation'} records a change but is no write.`);
  return { ...change, operation };
}

function visibilityOf(actor: KnownActor): Visibility {
  if (actor.kind === 'screen') return { of: 'screen', filter: actor.filter };
  return actor.kind === 'apiKey' || actor.role === 'admin'
    ? { of: 'business' }
    : { of: actor.role, userId: actor.userId };
}
