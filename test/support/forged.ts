import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { signingSecret } from './config.ts';

export interface Parts {
  readonly header?: Record<string, unknown>;
  /** Undefined leaves a claim out. */
  readonly claims?: Record<string, unknown>;
  readonly secret?: string;
  readonly digest?: string;
}

export const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

// oxlint-disable-next-line no-explicit-any -- tests look into tokens freely
export const decode = (token: string): any[] =>
  token
    .split('.')
    .slice(0, 2)
    .map((text) => JSON.parse(Buffer.from(text, 'base64url').toString()));

/** A valid token, made anew by hand with some parts changed. */
export function forge(
  token: string,
  { header, claims, secret = signingSecret, digest = 'sha256' }: Parts = {},
): string {
  const [ownHeader, ownClaims] = decode(token);
  const signed = `${part({ ...ownHeader, ...header })}.${part({ ...ownClaims, ...claims })}`;
  return `${signed}.${createHmac(digest, secret).update(signed).digest('base64url')}`;
}

export const unsigned = (token: string, alg: string): string =>
  `${forge(token, { header: { alg } }).split('.').slice(0, 2).join('.')}.`;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const jwk = rsa.publicKey.export({ format: 'jwk' });
export const publicPem = rsa.publicKey.export({ format: 'pem', type: 'spki' }).toString();

/** Signed by a key that it brings along. */
export function signedByRsa(token: string): string {
  const signed = forge(token, { header: { alg: 'RS256', jwk } })
    .split('.')
    .slice(0, 2)
    .join('.');
  return `${signed}.${createSign('sha256').update(signed).sign(rsa.privateKey, 'base64url')}`;
}
