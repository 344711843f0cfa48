import type { TSchema } from 'typebox';
import type { CredentialScope } from '../config/credential-scopes.ts';
import type { AttemptLimit } from '../config/limits.ts';
import { isGranted } from '../fields/grants.ts';
import type { Permission } from './permissions.ts';

/** Everything that is known about one operation. Permissions, caching, audit trail, retries and OpenAPI all read it. */
export interface OperationRecord extends Permission {
  readonly name: string;
  /** Scopes that some inputs need in addition. */
  readonly moreScopes: readonly CredentialScope[];
  /**
   * Whether the calls of one business run one after the other in a process. It is meant for what many people call at once and what
   * waits for the same row: whoever is in line holds no connection, and a long line is not taken for an overload.
   */
  readonly waitsInLine: boolean;
  /** Whether the operation changes what is stored. Every write calls `scope.record`. */
  readonly writes: boolean;
  /**
   * Whether the result follows from the stored rows that the data version of the business covers, the rights of the
   * caller and the input alone. It must depend neither on the clock nor on which person asks.
   */
  readonly cacheable: boolean;
  /**
   * Whether SQL of the operation may be read from one snapshot of a replica whose data version is at least that of the caller. Rows
   * that the data version does not cover may be older on a replica. Within an export, all operations read from its snapshot.
   * 'nothing' stands for an operation that reads nothing itself.
   */
  readonly replica: 'snapshot' | 'never' | 'nothing';
  /** Whether the audit trail keeps what the operation recorded. */
  readonly audited: boolean;
  /** How the operation can be retried under an idempotency key; null where it cannot. */
  readonly idempotent: IdempotencyRule | null;
  /** Limits on tries beside the rate limit. */
  readonly attempts: readonly AttemptLimit[];
  /** Whether the operation reads a part of another answer: a caller who may not call it gets null there, and no refusal is kept. */
  readonly isPart: boolean;
  /** Whether a GraphQL root field for it costs nothing beyond the point that every request costs. */
  readonly isFree: boolean;
  /** Whether a route of REST for it costs only a tenth of a request. */
  readonly isLight: boolean;
  readonly input: TSchema;
}

export interface IdempotencyRule {
  /** Fields of the input of which only a keyed digest is stored, so that nobody can guess them. */
  readonly secrets?: readonly string[];
  /** Message of the refusal that a retry gets, where the first answer held a secret. */
  readonly insteadOfSecret?: string;
}

const byName = new Map<string, OperationRecord>();

function holdersOf({ roles, scopes, moreScopes }: OperationRecord) {
  if (roles === 'anyone') return [];
  const { screen, ...others } = roles;
  const needed = scopes.length > 0 ? scopes : (['none'] as const);
  return [...(Object.keys(others).length > 0 ? needed : []), ...moreScopes, ...(screen ? (['screen'] as const) : [])];
}

/** Adds a record to the registry of all operations. Two with one name, or one without words, stop the process from starting. */
export function registerOperation<R extends OperationRecord>(record: R): R {
  if (byName.has(record.name)) throw new Error(`Two operations are called ${record.name}.`);
  for (const holder of holdersOf(record))
    if (!isGranted(record.name, holder))
      throw new Error(`src/fields/grants.ts has no words for ${record.name} by ${holder}.`);
  byName.set(record.name, record);
  return record;
}

/** The records of all operations whose modules are loaded, by name. app.ts loads those of every route and resolver. */
export function registeredOperations(): readonly OperationRecord[] {
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
