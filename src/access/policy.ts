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
const adminAndOwnStaff: Rule = { roles: { admin: 'business', staff: 'own' }, apiKey: true };
const adminAndOwnClient: Rule = { roles: { admin: 'business', client: 'own' }, apiKey: true };
const staffInPerson: Rule = { roles: { staff: 'own' }, apiKey: false };
const clientInPerson: Rule = { roles: { client: 'own' }, apiKey: false };
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
  // Not with a key: whoever found one shall not see whether that was noticed.
  'audit.list': adminInPerson,
  'viewer.get': everyRole,
  'rateLimit.get': anyone,
  'exports.open': everyRole,
  'events.list': admin,
  'events.get': admin,
  'events.getOwn': everyRole,
  'events.listOwn': clientInPerson,
  'events.ofIds': everyRole,
  'events.create': admin,
  'events.update': admin,
  'callTimes.ofEvents': everyRole,
  'callTimes.ofIds': everyRole,
  'callTimes.pagesOfEvents': everyRole,
  'callTimes.create': admin,
  'callTimes.update': admin,
  'callTimes.delete': admin,
  'workShifts.ofEvents': everyRole,
  'workShifts.listsOf': everyRole,
  'workShifts.pagesOf': everyRole,
  'workShifts.listOwn': staffInPerson,
  'workShifts.assign': admin,
  'workShifts.assignMany': admin,
  'workShifts.update': admin,
  'workShifts.confirm': adminAndOwnStaff,
  'workShifts.unconfirm': adminAndOwnStaff,
  'workShifts.decline': adminAndOwnStaff,
  'workShifts.cancel': admin,
  'workShifts.delete': admin,
  'workShifts.listOfEvent': admin,
  'customFields.valuesOfEvents': admin,
  'customFields.pagesOfEvents': admin,
  'customFields.list': admin,
  'customFields.create': admin,
  'customFields.update': admin,
  'customFields.delete': admin,
  'customFields.setValues': admin,
  'events.copy': admin,
  'coverage.ofEvents': adminAndOwnClient,
  'coverage.ofCallTimes': adminAndOwnClient,
  'coverage.report': admin,
  'labourCost.ofEvents': admin,
  'labourCost.ofCallTimes': admin,
  'labourCost.report': admin,
  'conflicts.list': admin,
  'positions.list': admin,
  'positions.create': admin,
  'positions.update': admin,
  'positions.delete': admin,
  'skillLevels.list': admin,
  'skillLevels.create': admin,
  'skillLevels.update': admin,
  'skillLevels.delete': admin,
  'passwords.change': everyRoleInPerson,
  'passwords.reset': admin,
  'users.list': admin,
  'users.get': admin,
  'users.ofIds': everyRole,
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
