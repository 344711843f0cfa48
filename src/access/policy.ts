import type { Actor } from './actor.ts';

export interface Rule {
  /**
   * Who may do it, and whose rows that reaches: an admin all of the business, staff and clients their own (db/reach.ts).
   * 'anyone' needs no credential at all.
   */
  readonly roles: 'anyone' | { readonly admin?: 'business'; readonly staff?: 'own'; readonly client?: 'own' };
  /** Whether a business API key may do it: it has an admin's rights, save where this says no. */
  readonly apiKey: boolean;
}

const anyone: Rule = { roles: 'anyone', apiKey: true };
const admin: Rule = { roles: { admin: 'business' }, apiKey: true };
const adminInPerson: Rule = { roles: { admin: 'business' }, apiKey: false };
const everyRole: Rule = { roles: { admin: 'business', staff: 'own', client: 'own' }, apiKey: true };
const everyRoleInPerson: Rule = { ...everyRole, apiKey: false };

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
  'callTimes.ofEvents': everyRole,
  'workShifts.ofEvents': everyRole,
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
  return actor.kind === 'apiKey' ? rule.apiKey : actor.role in rule.roles;
}
