import { createHmac, hkdfSync } from 'node:crypto';
import type { SigningSecret } from '../config/setting-types.ts';

/**
 * Digests of a text that only this service can compute, in hexadecimal: one for each of its secrets, the current one
 * first. Whoever reads a stored digest without the secret cannot find out the text by trying.
 */
export type KeyedDigests = (text: string) => readonly string[];

/** Makes digests for one purpose. Their keys are derived from the signing secrets, so they have the same lifetime. */
export function createKeyedDigests(secrets: readonly SigningSecret[], purpose: string): KeyedDigests {
  const keys = secrets.map(({ secret }) => Buffer.from(hkdfSync('sha256', secret, '', `callboard ${purpose}`, 32)));
  return (text) => keys.map((key) => createHmac('sha256', key).update(text).digest('hex'));
}
