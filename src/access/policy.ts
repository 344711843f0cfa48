import type { Role } from '../generated/prisma/enums.ts';
import type { Actor } from './actor.ts';

export interface Rule {
  /** 'anyone' needs no credential at all. */
  readonly roles: 'anyone' | readonly Role[];
  /** Whose rows the operation may reach: all of the business, or the caller's own. */
  readonly reach: 'business' | 'own';
  /** Whether a business API key may do it: it has an admin's rights, save where this says no. */
  readonly apiKey: boolean;
}

const anyone: Rule = { roles: 'anyone', reach: 'own', apiKey: true };
const admin: Rule = { roles: ['admin'], reach: 'business', apiKey: true };
const adminInPerson: Rule = { roles: ['admin'], reach: 'business', apiKey: false };
const everyRole: Rule = { roles: ['admin', 'staff', 'client'], reach: 'own', apiKey: true };
const everyRoleInPerson: Rule = { roles: ['admin', 'staff', 'client'], reach: 'own', apiKey: false };

/** THE table: who may do what. An operation without a row does not compile. */
export const policy = {
  'tokens.login': anyone,
  'tokens.revokeUsed': everyRoleInPerson,
  'tokens.revokeAllOwn': everyRoleInPerson,
  'apiKeys.list': adminInPerson,
  'apiKeys.create': adminInPerson,
  'apiKeys.revoke': adminInPerson,
  'apiKeys.revokeAll': adminInPerson,
  'viewer.get': everyRole,
  'events.list': admin,
  'events.get': admin,
  'events.create': admin,
  'events.update': admin,
  'callTimes.ofEvents': admin,
  'workShifts.ofEvents': admin,
  'workShifts.listOfEvent': admin,
  'customFields.valuesOfEvents': admin,
  'users.list': admin,
  'users.get': admin,
  'users.create': admin,
  'users.update': admin,
  'users.delete': admin,
} as const satisfies Record<string, Rule>;

export type OperationName = keyof typeof policy;

export function mayDo(actor: Actor, name: OperationName): boolean {
  const rule: Rule = policy[name];
  if (rule.roles === 'anyone') return true;
  if (actor.kind === 'anonymous') return false;
  return actor.kind === 'apiKey' ? rule.apiKey : rule.roles.includes(actor.role);
}
