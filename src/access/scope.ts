import type { FastifyBaseLogger } from 'fastify';
import type { ChangeOrigin } from '../db/change-log.ts';
import type { Unsettled } from '../db/places.ts';
import type { TenantDb } from '../db/tenant.ts';
import type { Failure } from '../errors.ts';
import type { AnonymousActor, KnownActor } from './actor.ts';
import type { Attempt, LimitField } from './attempts.ts';
import type { UsedFeed } from './authenticate.ts';
import type { Change } from './change.ts';
import type { ClaimInvitation } from './invitations.ts';
import type { KeyedDigests } from './keyed-digests.ts';
import type { LiveTicks } from './live-ticks.ts';
import type { MailLinks } from './mail-links.ts';
import type { LoggedIn, TokenKind } from './log-in.ts';
import type { OperationRecord } from './operation-record.ts';
import type { Passwords } from './passwords.ts';
import type { RateLimitState } from './rate-limits.ts';
import type { ScreenClaim, ScreenPairing } from './screen-pairing.ts';
import type { SecretBox } from './secret-box.ts';
import type { Sessions } from './sessions.ts';

/** The scope of a known caller's operation. Its database shows only the business of the caller. */
export interface Scope {
  readonly actor: KnownActor;
  readonly businessId: number;
  readonly db: TenantDb;
  readonly clock: () => Date;
  /** The caller and the operation of a change, for the change log. A write in a single statement notes it there; a transaction of a write has noted it. */
  readonly origin: ChangeOrigin;
  /** The largest page of a list that is read from a cursor on. */
  readonly pageRowsMax: number;
  /** Whether this scope is that of a transaction. */
  readonly isAtomic: boolean;
  /**
   * Runs in one transaction, with a scope of its own. A transaction that lost against another one is tried again. `read` makes the answer,
   * after offers and swaps have followed what `run` has changed.
   */
  readonly transaction: Transaction;
  /** The places that the transaction has changed, and not settled yet. Null outside one. */
  readonly unsettled: Unsettled | null;
  /**
   * Says what the operation did. Every write calls it in its transaction, so that the audit trail stores the entry together
   * with the change or not at all. A write of a single statement, if it is not audited, calls it after the statement.
   */
  readonly record: (change: Change) => void;
  readonly call: Call;
}

/** Scope of a caller without a credential. It has no database. */
interface PublicScope {
  readonly actor: AnonymousActor;
  readonly call: PublicCall;
}

interface Transaction {
  <T>(run: (scope: Scope) => Promise<T>): Promise<T>;
  <T, R>(run: (scope: Scope) => Promise<T>, read: (scope: Scope, made: T) => Promise<R>): Promise<R>;
}

export type CallScope = PublicScope | Scope;

/** How much of one request was written: what was committed, and what may have been. */
export interface WriteCount {
  count: number;
}

type RunOperation = <T>(operation: OperationRecord, run: (scope: Scope) => Promise<T>) => Promise<T>;

/** Bookkeeping of one call. Only access/ reads it. */
export interface PublicCall {
  readonly log: FastifyBaseLogger;
  readonly idempotency?: Idempotency;
  /** Whether the call only finds out if the caller may make it: what it writes is rolled back, and it fails. */
  readonly isRehearsal?: boolean;
  /** Whether the call is to show what it would change: what it writes is rolled back, and its result is returned. */
  readonly isDryRun?: boolean;
  readonly attempt: Attempt;
  readonly limitField: LimitField;
  /** Notes that the answer is made with this operation. */
  readonly used: (operation: OperationRecord) => void;
  readonly writes: WriteCount;
  /** Takes the points of the rows of a batch from the rate limit. Throws where the request would cost too much. */
  readonly payForRows: (rows: number, field: string) => Promise<void>;
  /** Keeps in the audit trail that the caller was refused. */
  readonly refused: (operation: OperationRecord, refusal: Failure) => Promise<void>;
  readonly capabilities: PublicCapabilities;
}

export interface Call extends PublicCall {
  /** Runs an operation in its turn, in a scope in which changes are recorded under its name. Operations within it take no turn. */
  readonly inTurn: RunOperation;
  /** Runs reads on a replica. Null without replicas, and in a scope that reads inside a transaction. */
  readonly onReplica: RunOperation | null;
  /** Digests of input with a secret, for idempotency keys. */
  readonly keyedDigests: KeyedDigests;
  readonly capabilities: Capabilities;
}

export interface Idempotency {
  readonly key: string;
  /** Called when the answer is a stored one. */
  readonly onReplay?: () => void;
}

/**
 * Capabilities that few operations need in addition to their scope. An operation that is open to anyone gets nothing
 * else.
 */
export interface PublicCapabilities {
  /** Makes a code for a browser that is to become a screen, and the secret with which it claims its board token. */
  readonly issueScreenCode: ScreenPairing['issue'];
  readonly claimScreen: (secret: string) => Promise<ScreenClaim>;
  readonly logIn: (email: string, password: string, kind: TokenKind) => Promise<LoggedIn>;
  readonly claimInvitation: (secret: string, password: string) => ReturnType<ClaimInvitation>;
  /** Whether the service sends mails. */
  readonly isSendingMail: boolean;
  /** Makes the secret of a link. */
  readonly newMailLink: MailLinks['newLink'];
  /** Opens the offer of a link in a mail, with the scope of the person who got it. */
  readonly openMailedOffer: (secret: string) => Promise<MailedOfferScope | null>;
  /** Opens the calendar feed of an address, with the scope of its owner. */
  readonly useFeed: (publicId: string, secret: string) => Promise<UsedFeedScope | null>;
  readonly forgetPassword: MailLinks['forgetPassword'];
  readonly setForgottenPassword: (secret: string, password: string) => ReturnType<MailLinks['setPassword']>;
  readonly unsubscribe: MailLinks['unsubscribe'];
  /** Whether a new password is refused because it is among the most common ones. */
  readonly isTooCommon: Passwords['isTooCommon'];
  /** Makes a lasting session for a caller who knows e-mail and password. Returns its cookie. */
  readonly keepLogIn: (email: string, password: string) => Promise<string>;
  readonly useSession: (cookie: string) => ReturnType<Sessions['use']>;
  readonly endSession: (cookie: string) => ReturnType<Sessions['end']>;
  /** Returns the caller's remaining rate limit, after the points that this call has cost. */
  readonly rateLimit: () => RateLimitState;
}

type MailedOfferScope = NonNullable<Awaited<ReturnType<MailLinks['openOffer']>>> & { readonly scope: Scope };

type UsedFeedScope = Pick<UsedFeed, 'feed'> & { readonly scope: Scope };

export interface Capabilities extends PublicCapabilities {
  readonly hashPassword: (password: string) => ReturnType<Passwords['hash']>;
  readonly checkPassword: (storedHash: string | null, password: string) => ReturnType<Passwords['check']>;
  /** Encrypts a secret that is stored to be used again, and not only compared. */
  readonly sealSecret: SecretBox['seal'];
  /** Digests from which the codes are made with which people check in at events. */
  readonly checkInDigests: KeyedDigests;
  /** Returns what is wrong with the URL of a webhook, in words that complete a sentence; nothing if it is right. */
  readonly findWebhookUrlFaults: (url: string) => string[];
  /** Opens the ticks of a stream of live updates. They go on after the operation, until they are returned. */
  readonly follow: () => LiveTicks;
  /** Takes a snapshot of the database. It is read through a scope of its own, on which nothing is written. */
  readonly openSnapshot: (pageRowsMax: number) => Promise<Snapshot>;
}

/** The database as it was at one moment. A snapshot holds a connection until it is closed or times out. */
export interface Snapshot {
  readonly scope: Scope;
  readonly close: () => Promise<void>;
  /** Notes that its first page was read. Only a snapshot on a replica has this, and `reopen`. */
  readonly hasBegun?: () => void;
  /** Opens a snapshot of the primary instead, if this one failed because it is on a replica; otherwise returns null. */
  readonly reopen?: () => Promise<Snapshot | null>;
}
