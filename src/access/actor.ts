import { type CredentialScope, credentialScopes, parseCredentialScopes } from '../config/credential-scopes.ts';
import type { ScreenFilter } from '../db/visibility.ts';
import { insufficientScope } from '../errors.ts';
import type { Plan, Role, ScreenNames, Weekday } from '../generated/prisma/enums.ts';
import type { Permission } from './permissions.ts';

interface InBusiness {
  readonly businessId: number;
  readonly businessName: string;
  readonly plan: Plan;
  /** Time zone of the business: whose clocks say what today is where no event's zone is meant. */
  readonly timezone: string;
  readonly weekStart: Weekday;
  /** Setting: whether query parameters that a route does not know are refused. */
  readonly strictQueries: boolean;
  /** Settings of the rules of who can work; null means not checked. */
  readonly restHours: number | null;
  readonly weeklyHours: number | null;
  /** Settings of how staff give shifts back; null: without a deadline. */
  readonly dropDeadlineHours: number | null;
  readonly adminsDrop: boolean;
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
  /** Whether a log-in on the pages made the token: its requests are counted by person. */
  readonly isConsole: boolean;
}

export interface KeyActor extends InBusiness {
  readonly kind: 'apiKey';
  readonly role: 'admin';
  readonly keyId: number;
  readonly name: string;
}

/** A browser that shows the board: its board token reads the events of one filter. */
export interface ScreenActor extends InBusiness {
  readonly kind: 'screen';
  readonly screenId: number;
  readonly uuid: string;
  readonly name: string;
  readonly names: ScreenNames;
  readonly filter: ScreenFilter;
  /** The event at which people check in on it; null: none. */
  readonly checkInEventUuid: string | null;
}

export interface AnonymousActor {
  readonly kind: 'anonymous';
}

/** The caller. Every field was read from the database for this request. */
export type Actor = KnownActor | AnonymousActor;
export type KnownActor = UserActor | KeyActor | ScreenActor;

/** The rights of a caller. Two callers with equal rights see the same rows and columns, and are refused the same. */
export function rightsOf(actor: KnownActor): string {
  const who = whoIs(actor);
  return isFull(actor.scopes) ? who : `${who} ${actor.scopes.join(' ')}`;
}

/** A screen has the rights that it was approved with for as long as it lives. */
function whoIs(actor: KnownActor): string {
  if (actor.kind === 'screen') return `screen:${actor.screenId}`;
  return actor.kind === 'apiKey' || actor.role === 'admin' ? `${actor.kind}:admin` : `${actor.role}:${actor.userId}`;
}

/** Id of the row of the caller, among the callers of its kind. */
export function idOfActor(actor: KnownActor): number {
  switch (actor.kind) {
    case 'user':
      return actor.userId;
    case 'apiKey':
      return actor.keyId;
    case 'screen':
      return actor.screenId;
  }
}

/**
 * Scopes that each scope includes. A scope that writes includes `read`, because an answer to a write shows stored rows: without it,
 * a change could be made and its answer be refused.
 */
const included: Readonly<Record<CredentialScope, readonly CredentialScope[]>> = {
  read: ['read'],
  'events:write': ['events:write', 'read'],
  'staffing:write': ['staffing:write', 'read'],
  'users:write': ['users:write', 'read'],
  webhooks: ['webhooks'],
  full: credentialScopes,
};

export const fullScopes: readonly CredentialScope[] = ['full'];

/** Reads stored scopes from text with spaces between them. A text that this version does not know allows nothing. */
export function readScopes(text: string): readonly CredentialScope[] {
  return text === 'full' ? fullScopes : (parseCredentialScopes(text) ?? []);
}

/** Whether a credential has all rights of its caller. */
export function isFull(held: readonly CredentialScope[]): boolean {
  return held.includes('full');
}

/** Whether the role of the caller, or a business API key as such, may call the operation. Scopes are another matter. */
export function mayCall(actor: Actor, { roles, apiKey }: Pick<Permission, 'roles' | 'apiKey'>): boolean {
  if (roles === 'anyone') return true;
  if (actor.kind === 'anonymous') return false;
  if (actor.kind === 'apiKey') return apiKey;
  return (actor.kind === 'screen' ? actor.kind : actor.role) in roles;
}

/** Throws FORBIDDEN that names the scopes which are needed and not held. */
export function requireScopes(held: readonly CredentialScope[], needed: readonly CredentialScope[]): void {
  const missing = findMissing(held, needed);
  if (missing.length > 0) throw insufficientScope(missing);
}

export function hasScopes(held: readonly CredentialScope[], needed: readonly CredentialScope[]): boolean {
  return findMissing(held, needed).length === 0;
}

function findMissing(held: readonly CredentialScope[], needed: readonly CredentialScope[]): CredentialScope[] {
  return isFull(held) ? [] : needed.filter((scope) => !held.some((each) => included[each].includes(scope)));
}

/** The form in which scopes are stored and shown: each once, in the order of the list, and nothing beside `full`. */
export function normalizeScopes(scopes: readonly CredentialScope[]): CredentialScope[] {
  return credentialScopes.filter((scope) => (isFull(scopes) ? scope === 'full' : scopes.includes(scope)));
}
