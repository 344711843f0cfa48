import type { CredentialScope } from '../config/credential-scopes.ts';
import type { Plan, Role } from '../generated/prisma/enums.ts';
import { isFull } from './credential-scopes.ts';

interface InBusiness {
  readonly businessId: number;
  readonly businessName: string;
  readonly plan: Plan;
  /** Data version of the business. Changes with every committed write and is never reused. */
  readonly revision: string;
  /** Scopes of the credential used in the call, never empty. They narrow the rights of the role and never widen them. */
  readonly scopes: readonly CredentialScope[];
}

export interface UserActor extends InBusiness {
  readonly kind: 'user';
  readonly role: Role;
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  /** Id of the personal token used in the call. */
  readonly jti: string;
}

export interface KeyActor extends InBusiness {
  readonly kind: 'apiKey';
  readonly role: 'admin';
  readonly keyId: number;
  readonly name: string;
}

export interface AnonymousActor {
  readonly kind: 'anonymous';
}

/** The caller. Every field was read from the database for this request. */
export type Actor = UserActor | KeyActor | AnonymousActor;
export type KnownActor = UserActor | KeyActor;

/** The rights of a caller. Two callers with equal rights see the same rows and columns, and are refused the same. */
export function rightsOf(actor: KnownActor): string {
  const who =
    actor.kind === 'apiKey' || actor.role === 'admin' ? `${actor.kind}:admin` : `${actor.role}:${actor.userId}`;
  return isFull(actor.scopes) ? who : `${who} ${actor.scopes.join(' ')}`;
}
