import type { Actor } from './actor.ts';

export interface Rule {
  /**
   * Who may do it, and on whose rows: an admin's operations see all of the business, those of staff and clients their own (db/visibility.ts).
   * 'anyone' needs no credential at all.
   */
  readonly roles: 'anyone' | { readonly admin?: 'business'; readonly staff?: 'own'; readonly client?: 'own' };
  /** Whether a business API key may do it: it has an admin's rights, save where this says no. */
  readonly apiKey: boolean;
  /**
   * Whether what it answers follows from nothing but the rows that the revision of the business stands for, the caller's
   * rights, and the input: neither from the clock, nor from who in particular asks. Only of what changes nothing.
   */
  readonly isOfRevision?: true;
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

const ofRevision = (rule: Rule): Rule => ({ ...rule, isOfRevision: true });

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
  'events.list': ofRevision(admin),
  'events.get': ofRevision(admin),
  'events.getOwn': ofRevision(everyRole),
  'events.listOwn': ofRevision(clientInPerson),
  'events.ofIds': ofRevision(everyRole),
  'events.create': admin,
  'events.update': admin,
  'callTimes.ofEvents': ofRevision(everyRole),
  'callTimes.ofIds': ofRevision(everyRole),
  'callTimes.pagesOfEvents': ofRevision(everyRole),
  'callTimes.create': admin,
  'callTimes.update': admin,
  'callTimes.delete': admin,
  'workShifts.ofEvents': ofRevision(everyRole),
  'workShifts.listsOf': ofRevision(everyRole),
  'workShifts.pagesOf': ofRevision(everyRole),
  'workShifts.listOwn': ofRevision(staffInPerson),
  'workShifts.assign': admin,
  'workShifts.assignMany': admin,
  'workShifts.update': admin,
  'workShifts.confirm': adminAndOwnStaff,
  'workShifts.unconfirm': adminAndOwnStaff,
  'workShifts.decline': adminAndOwnStaff,
  'workShifts.cancel': admin,
  'workShifts.delete': admin,
  'workShifts.listOfEvent': ofRevision(admin),
  'customFields.valuesOfEvents': ofRevision(admin),
  'customFields.pagesOfEvents': ofRevision(admin),
  'customFields.list': ofRevision(admin),
  'customFields.create': admin,
  'customFields.update': admin,
  'customFields.delete': admin,
  'customFields.setValues': admin,
  'events.copy': admin,
  'coverage.ofEvents': ofRevision(adminAndOwnClient),
  'coverage.ofCallTimes': ofRevision(adminAndOwnClient),
  'coverage.report': ofRevision(admin),
  'labourCost.ofEvents': ofRevision(admin),
  'labourCost.ofCallTimes': ofRevision(admin),
  'labourCost.report': ofRevision(admin),
  'conflicts.list': ofRevision(admin),
  'positions.list': ofRevision(admin),
  'positions.create': admin,
  'positions.update': admin,
  'positions.delete': admin,
  'skillLevels.list': ofRevision(admin),
  'skillLevels.create': admin,
  'skillLevels.update': admin,
  'skillLevels.delete': admin,
  'passwords.change': everyRoleInPerson,
  'passwords.reset': admin,
  'users.list': ofRevision(admin),
  'users.get': ofRevision(admin),
  'users.ofIds': ofRevision(everyRole),
  'users.create': admin,
  'users.update': admin,
  'users.delete': admin,
} as const satisfies Record<string, Rule>;

export type OperationName = keyof typeof policy;

/** Whether an answer is of the revision, by the operations that it was made of. */
export const isOfRevision = (used: Iterable<OperationName>): boolean =>
  [...used].every((name) => (policy[name] as Rule).isOfRevision === true);

export function mayDo(actor: Actor, name: OperationName): boolean {
  const rule: Rule = policy[name];
  if (rule.roles === 'anyone') return true;
  if (actor.kind === 'anonymous') return false;
  return actor.kind === 'apiKey' ? rule.apiKey : actor.role in rule.roles;
}
