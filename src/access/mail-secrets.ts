import { randomUUID } from 'node:crypto';
import type { SigningSecret } from '../config/setting-types.ts';
import type { MailKind } from '../generated/prisma/enums.ts';
import { hashOf, isSecretOf } from './api-keys.ts';
import { createKeyedDigests } from './keyed-digests.ts';

/** The mails of one kind to one person, which their token switches off. */
interface Subscription {
  readonly businessId: number;
  readonly userId: number;
  readonly kind: MailKind;
}

/** Secrets of the links in mails. The secret of a mail is a keyed digest of its uuid, so only digests of secrets are stored. */
export interface MailSecrets {
  /** The uuid is that of a mail which gets another secret; a new one unless given. */
  make(uuid?: string): { readonly uuid: string; readonly secret: string; readonly secretHash: Uint8Array<ArrayBuffer> };
  /** The secret of a mail; null if its key is not in the list any more. */
  find(uuid: string, secretHash: Uint8Array): string | null;
  /** Reads a token that an earlier version derived. Those of today are random and stored with their mail. */
  readOffToken(token: string): Subscription | null;
}

export function createMailSecrets(signingSecrets: readonly SigningSecret[]): MailSecrets {
  const digests = createKeyedDigests(signingSecrets, 'links in mails');
  const links = (uuid: string) => digests(uuid).map((digest) => Buffer.from(digest, 'hex').toString('base64url'));
  const offs = createKeyedDigests(signingSecrets, 'unsubscribing');
  return {
    make(uuid = randomUUID()) {
      const secret = links(uuid)[0]!;
      return { uuid, secret, secretHash: hashOf(secret) };
    },
    find: (uuid, secretHash) => links(uuid).find((secret) => isSecretOf(secretHash, secret)) ?? null,
    readOffToken(token) {
      const [, text = '', business, user, kind, digest] =
        /^((\d{1,10})\.(\d{1,10})\.([a-z]+))\.([0-9a-f]{64})$/.exec(token) ?? [];
      if (!digest || !offs(text).some((each) => isSecretOf(hashOf(each), digest))) return null;
      return { businessId: Number(business), userId: Number(user), kind: kind as MailKind };
    },
  };
}
