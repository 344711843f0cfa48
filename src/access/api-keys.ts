import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { limits } from '../config/limits.ts';

/*
 * A business API key: cbk_<public id>_<secret><checksum>, letters and digits only. The public id names the row and may
 * be shown; 32 characters of 62 are 190 random bits; the checksum refuses a mistyped key without a look-up and lets
 * secret scanners recognise one. The board token of a screen has the same form, and begins with cbs_.
 */
type Prefix = 'cbk' | 'cbs';
const [keyPrefix, boardPrefix] = ['cbk', 'cbs'] as const;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const publicIdChars = 12;
const secretChars = 32;
const checksumChars = 6;
const shape = new RegExp(
  `^(?:${keyPrefix}|${boardPrefix})_([0-9A-Za-z]{${publicIdChars}})_([0-9A-Za-z]{${secretChars}})([0-9A-Za-z]{${checksumChars}})$`,
);
const publicIdShape = new RegExp(`^[0-9A-Za-z]{${publicIdChars}}$`);

export interface GeneratedApiKey {
  /** The whole key: shown once, stored nowhere. */
  readonly key: string;
  readonly publicId: string;
  readonly secretHash: Uint8Array<ArrayBuffer>;
  readonly lastFour: string;
}

export const generateApiKey = (): GeneratedApiKey => generate(keyPrefix);
export const generateBoardToken = (): GeneratedApiKey => generate(boardPrefix);

/** The public id of a calendar feed, and the secret of its address, which is stored nowhere. */
export function generateFeed() {
  const secret = randomBytes(limits.secretBytes).toString('base64url');
  return { publicId: randomText(publicIdChars), secret, secretHash: hashOf(secret) };
}

function generate(prefix: Prefix): GeneratedApiKey {
  const publicId = randomText(publicIdChars);
  const secret = randomText(secretChars);
  const key = `${prefix}_${publicId}_${secret}${checksum(publicId, secret)}`;
  return { key, publicId, secretHash: hashOf(secret), lastFour: key.slice(-4) };
}

export const looksLikeApiKey = (credential: string): boolean => credential.startsWith(`${keyPrefix}_`);
export const looksLikeBoardToken = (credential: string): boolean => credential.startsWith(`${boardPrefix}_`);

export function isPublicId(id: string): boolean {
  return publicIdShape.test(id);
}

/** Reads an API key or a board token; null for any other text. */
export function parseApiKey(credential: string): { publicId: string; secret: string } | null {
  const [, publicId, secret, sum] = shape.exec(credential) ?? [];
  return publicId && secret && sum === checksum(publicId, secret) ? { publicId, secret } : null;
}

export function isSecretOf(secretHash: Uint8Array, secret: string): boolean {
  return timingSafeEqual(secretHash, hashOf(secret));
}

export const hashOf = (secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(secret).digest());

const randomText = (chars: number): string => Array.from({ length: chars }, () => alphabet[randomInt(62)]).join('');

function checksum(publicId: string, secret: string): string {
  let rest = crc32(`${publicId}${secret}`);
  let sum = '';
  for (let i = 0; i < checksumChars; i++) {
    sum = alphabet[rest % 62] + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}
