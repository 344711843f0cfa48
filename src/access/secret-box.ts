import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SigningSecret } from '../config/setting-types.ts';

/** Encrypts secrets that are stored and used again, such as those that sign webhooks. */
export interface SecretBox {
  /** Returns the text, encrypted under the first key. */
  readonly seal: (text: string) => string;
  /** Returns the text, or null if its key is not in the list any more or the sealed text was changed. */
  readonly open: (sealed: string) => string | null;
  /** Whether a sealed text is encrypted under the first key. */
  readonly isCurrent: (sealed: string) => boolean;
}

/** Keys of a secret box. The kid of a key stands in what it sealed. */
export type SealingKeys = readonly [SigningSecret, ...SigningSecret[]];

/**
 * Returns the keys that seal the secrets of webhooks. Those derived from the signing secrets are in the list even if the
 * operator has set other ones, so that secrets from before that can be opened. A colon keeps their kids apart from set ones.
 */
export function webhookKeysOf(keys: readonly SigningSecret[], signingSecrets: readonly SigningSecret[]): SealingKeys {
  const [first, ...others] = [...keys, ...signingSecrets.map(({ kid, secret }) => ({ kid: `jwt:${kid}`, secret }))];
  if (!first) throw new Error('There is no secret that the keys of webhooks could be derived from.');
  return [first, ...others];
}

/** A sealed text is the kid, a slash, and the nonce, the tag and the encrypted text in base64url. */
export function createSecretBox(keys: SealingKeys): SecretBox {
  const keyByKid = new Map(
    keys.map(({ kid, secret }) => [kid, Buffer.from(hkdfSync('sha256', secret, '', 'callboard secret box', keyBytes))]),
  );
  const [{ kid: current }] = keys;
  return {
    seal: (text) => `${current}/${encrypt(text, current, keyByKid.get(current)!).toString('base64url')}`,
    isCurrent: (sealed) => sealed.startsWith(`${current}/`),
    open: (sealed) => {
      const slash = sealed.indexOf('/');
      const kid = sealed.slice(0, Math.max(slash, 0));
      const key = keyByKid.get(kid);
      return key ? decrypt(Buffer.from(sealed.slice(slash + 1), 'base64url'), kid, key) : null;
    },
  };
}

const cipherName = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

function encrypt(text: string, kid: string, key: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(cipherName, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(kid));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

function decrypt(box: Buffer, kid: string, key: Buffer): string | null {
  const start = nonceBytes + tagBytes;
  if (box.length < start) return null;
  try {
    const decipher = createDecipheriv(cipherName, key, box.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(kid)).setAuthTag(box.subarray(nonceBytes, start));
    return Buffer.concat([decipher.update(box.subarray(start)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
