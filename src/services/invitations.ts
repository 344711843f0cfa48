import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { userEdit } from '../access/permissions.ts';
import type { Capabilities, Scope } from '../access/scope.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { storeMails } from '../db/mails.ts';
import { lockUsers, readUsersWithPassword } from '../db/users.ts';
import { conflict, Failure, notFound } from '../errors.ts';
import { closedObject, idOf, newPassword } from '../validation/schemas.ts';
import { requireUncommon } from './passwords-rule.ts';
import { changeAdmins, requireMayTouch, userParams } from './users.ts';
import { advance, unrefused } from './work-shifts-assign-set.ts';

/** The link with which a user sets their first password. Only this answer holds its secret. */
interface Invitation {
  readonly path: string;
  readonly expiresAt: Date;
  /** Whether it is sent by mail as well. */
  readonly isMailed: boolean;
}

export type InvitationOutcome = { readonly invitation: Invitation } | { readonly failure: Failure };

/** Makes a link for a user. An earlier one is void. */
export const create = operation({
  ...userEdit,
  name: 'invitations.create',
  attempts: attemptLimits.invite,
  input: userParams,
  run: async (scope, { id }, capabilities) => {
    const [outcome] = await changeAdmins(scope, (tx) => invite(tx, [id], capabilities));
    if ('failure' in outcome!) throw outcome.failure;
    return outcome!.invitation;
  },
});

export const createManyInput = closedObject({
  userIds: Type.Array(idOf('user'), {
    maxItems: limits.namedItemsMax,
    uniqueItems: true,
    description: 'Ids of the users.',
  }),
});

/** Makes a link for each of several users. A refused one does not affect the others. */
export const createMany = operation({
  ...userEdit,
  name: 'invitations.createMany',
  attempts: attemptLimits.invite,
  input: createManyInput,
  rows: { field: 'userIds', count: ({ userIds }) => userIds.length },
  run: (scope, { userIds }, capabilities) => changeAdmins(scope, (tx) => invite(tx, userIds, capabilities)),
});

async function invite(
  tx: Scope,
  ids: readonly number[],
  { newMailLink, isSendingMail }: Capabilities,
): Promise<InvitationOutcome[]> {
  const users = new Map((await lockUsers(tx.db, ids)).map((user) => [user.id, user]));
  const withPassword = await readUsersWithPassword(tx.db, ids);
  const invited = advance(ids, (id) => {
    const user = users.get(id);
    if (!user) throw notFound('user');
    requireMayTouch(tx, user.role);
    if (withPassword.has(id))
      throw conflict(
        'The user has a password already: set another one with PUT /v1/passwords/users/{id} (passwords.reset) or resetPassword.',
      );
    return { user, link: newMailLink() };
  });
  const createdAt = tx.clock();
  const expiresAt = new Date(createdAt.getTime() + limits.invitationS * 1000);
  const links = unrefused(invited);
  const rows = links.map(({ user, link }) => ({
    businessId: tx.businessId,
    userId: user.id,
    secretHash: link.secretHash,
    createdAt,
    expiresAt,
  }));
  let mailed: readonly number[] = [];
  if (rows.length > 0) {
    await tx.db.invitation.deleteMany({ where: { userId: { in: rows.map(({ userId }) => userId) } } });
    await tx.db.invitation.createMany({ data: rows });
    const mails = links.map(({ user, link }) => ({ userId: user.id, kind: 'invitation', uuid: link.uuid }) as const);
    if (isSendingMail) mailed = await storeMails(tx.db, mails, createdAt);
  }
  return invited.map((one) => {
    if (one instanceof Failure) return { failure: one };
    const { user, link } = one;
    tx.record({ kind: 'user', id: user.id, details: { role: user.role, email: user.email } });
    const isMailed = mailed.includes(user.id);
    return { invitation: { path: `/app/invitation#${link.secret}`, expiresAt, isMailed } };
  });
}

export const claimInput = closedObject({
  secret: Type.String({
    minLength: 1,
    maxLength: limits.labelChars,
    description: 'The secret in the link, behind the `#`.',
  }),
  password: newPassword(),
});

/** Sets the first password of an invited user. Returns the e-mail with which they log in. */
export const claim = operation({
  name: 'invitations.claim',
  roles: 'anyone',
  writes: true,
  audited: true,
  attempts: attemptLimits.claimInvitation,
  input: claimInput,
  run: async (capabilities, { secret, password }) => {
    requireUncommon('password', password, capabilities);
    const email = await capabilities.claimInvitation(secret, password);
    if (email === null)
      throw new Failure('INVALID_CREDENTIALS', 'This invitation is no longer valid: ask for a new link.');
    return { email };
  },
});
