import type { Plan, Role } from '../generated/prisma/enums.ts';

interface InBusiness {
  readonly businessId: number;
  readonly businessName: string;
  readonly plan: Plan;
  /** Of what is stored of the business: another one, never to come again, after each transaction that changed it. */
  readonly revision: string;
}

export interface UserActor extends InBusiness {
  readonly kind: 'user';
  readonly role: Role;
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  /** Of the personal token used in the call. */
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

/** Who is calling. Everything in it was read from the database for this very request. */
export type Actor = UserActor | KeyActor | AnonymousActor;
export type KnownActor = UserActor | KeyActor;

/** What decides which rows and columns a caller sees, and what is refused: two callers with the same see the same. */
export const rightsOf = (actor: KnownActor): string =>
  actor.kind === 'apiKey' || actor.role === 'admin' ? `${actor.kind}:admin` : `${actor.role}:${actor.userId}`;
