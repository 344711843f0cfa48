import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../config/limits.ts';
import { ofOpenBusiness } from '../db/businesses.ts';
import { noteOrigin } from '../db/change-log.ts';
import type { Database } from '../db/engine/database.ts';
import { revokeTokens } from '../db/log-ins.ts';
import { findMailedOffer, findOffSubscription, storeMails, switchMailOff } from '../db/mails.ts';
import { bindToBusiness, rawOf } from '../db/tenant.ts';
import type { MailKind } from '../generated/prisma/enums.ts';
import type { UserActor } from './actor.ts';
import { callerAt } from './address.ts';
import { hashOf } from './api-keys.ts';
import type { Caller } from './audit.ts';
import { findStaffActor } from './authenticate.ts';
import { emailKeyOf } from './log-in.ts';
import type { MailSecrets } from './mail-secrets.ts';
import type { Passwords } from './passwords.ts';

/** An offer whose link in a mail works: the person as the caller, and their part in it. */
interface OpenedOffer {
  readonly actor: UserActor;
  readonly recipientUuid: string;
  /** Uses the link up. Returns whether nobody else has. */
  readonly use: () => Promise<boolean>;
  /** Makes a used link work again, because its answer was refused. */
  readonly giveBack: () => Promise<void>;
}

/** What the links in mails lead to. The secret of a link names the business, so its caller needs no credential. */
export interface MailLinks {
  /** Whether this service sends mails. */
  readonly isSending: boolean;
  readonly newLink: MailSecrets['make'];
  /** Null: the link does not work, or not any more. */
  openOffer(secret: string): Promise<OpenedOffer | null>;
  /** Sends the link to a new password, if the address is that of a user with a password. It takes the same time if it is not. */
  forgetPassword(email: string): Promise<void>;
  /** Sets the password of the user whose link has the secret, and ends their log-ins. Returns their e-mail; null: the link does not work. */
  setPassword(secret: string, password: string, caller: Caller): Promise<string | null>;
  /** Switches off the kind of mails that the token names, and returns it. Null: there is no such token. */
  unsubscribe(token: string): Promise<MailKind | null>;
}

const offTokenShape = /^(\d{1,10})\.(\d{1,18})\.([a-z]+)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

interface LinkParts {
  readonly database: Pick<Database, 'prisma' | 'read'>;
  readonly passwords: Passwords;
  readonly secrets: MailSecrets;
  readonly clock: () => Date;
  readonly isSending: boolean;
}

export function createMailLinks({ database, passwords, secrets, clock, isSending }: LinkParts): MailLinks {
  const { prisma, read } = database;
  const sendPasswordLink = async (email: string): Promise<void> => {
    const user = await prisma.user.findFirst({
      where: { emailKey: emailKeyOf(email), ...ofOpenBusiness },
      select: { businessId: true, id: true, passwordHash: true },
    });
    if (!user?.passwordHash) return;
    const { uuid, secretHash } = secrets.make();
    const { db } = bindToBusiness(prisma, user.businessId);
    await storeMails(db, [{ userId: user.id, kind: 'password', uuid, secretHash }], clock());
  };
  const findSubscription = async (text: string) => {
    const [, business, mail, kind, token] = offTokenShape.exec(text) ?? [];
    if (!token || Number(business) > limits.int4Max) return null;
    return findOffSubscription(prisma, { businessId: Number(business), mailId: BigInt(mail!), kind: kind!, token });
  };
  return {
    isSending,
    newLink: secrets.make,
    async openOffer(secret) {
      const found = await findMailedOffer(prisma, hashOf(secret), clock());
      const actor = found && (await findStaffActor(read, found));
      if (!actor) return null;
      const { mailId: id, businessId, recipientUuid } = found;
      const { db } = bindToBusiness(prisma, businessId);
      return {
        actor,
        recipientUuid,
        use: async () =>
          (await db.mail.updateMany({ where: { id, usedAt: null }, data: { usedAt: clock() } })).count === 1,
        giveBack: async () => void (await db.mail.updateMany({ where: { id }, data: { usedAt: null } })),
      };
    },
    forgetPassword: async (email) => void (await Promise.all([sendPasswordLink(email), wait(limits.evenAnswerMs)])),
    async setPassword(secret, password, { address, requestId }) {
      const secretHash = hashOf(secret);
      const since = new Date(clock().getTime() - limits.passwordLinkS * 1000);
      const mail = await prisma.mail.findFirst({
        where: { secretHash, kind: 'password', createdAt: { gt: since }, ...ofOpenBusiness },
      });
      if (!mail) return null;
      const { businessId, id, userId } = mail;
      const passwordHash = await passwords.hash(password, { key: `address ${callerAt(address)}` });
      return bindToBusiness(prisma, businessId)
        .transact(async (db) => {
          // The user is locked first, as by those who change them: whoever voids the link has done so by then.
          const where = { id: userId, deletedAt: null, passwordHash: { not: null } };
          const now = clock();
          const user = await db.user.findFirst({ where, select: { name: true, email: true } });
          await noteOrigin(rawOf(db), {
            ...{ kind: 'user', id: userId, operation: 'passwords.setForgotten', requestId },
            ...(user && { name: user.name }),
          });
          await db.user.updateMany({ where, data: { passwordHash, updatedAt: now } });
          const { count } = await db.mail.updateMany({
            where: { id, secretHash },
            data: { secretHash: null, usedAt: now },
          });
          if (!user || count === 0) throw new LinkOver();
          const revokedTokens = await revokeTokens({ db, clock }, { userId });
          await db.auditEntry.createMany({
            data: [
              {
                ...{ businessId, at: now, action: 'passwords.setForgotten', outcome: 'done', address, requestId },
                ...{ actorKind: 'user', actorId: userId, actorName: user.name, subjectKind: 'user', subjectId: userId },
                details: { revokedTokens },
              },
            ],
          });
          return user.email;
        })
        .catch((error: unknown) => {
          if (error instanceof LinkOver) return null;
          throw error;
        });
    },
    async unsubscribe(token) {
      const of = secrets.readOffToken(token) ?? (await findSubscription(token));
      if (!of) return null;
      const { businessId, userId, kind } = of;
      await bindToBusiness(prisma, businessId).transact(async (db) => {
        await noteOrigin(rawOf(db), { kind: 'user', id: userId, operation: 'mails.unsubscribe' });
        await switchMailOff(db, userId, kind);
      });
      return kind;
    },
  };
}

/** The link was used or voided while the password was hashed: nothing is written. */
class LinkOver extends Error {}
