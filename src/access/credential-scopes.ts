import { credentialScopes, parseCredentialScopes, type CredentialScope } from '../config/credential-scopes.ts';
import { insufficientScope } from '../errors.ts';

/**
 * Scopes that each scope includes. A scope that writes includes `read`, because an answer to a write shows stored rows: without it,
 * a change could be made and its answer be refused.
 */
const included: Readonly<Record<CredentialScope, readonly CredentialScope[]>> = {
  read: ['read'],
  'events:write': ['events:write', 'read'],
  'staffing:write': ['staffing:write', 'read'],
  'users:write': ['users:write', 'read'],
  webhooks: ['webhooks'],
  full: credentialScopes,
};

export const fullScopes: readonly CredentialScope[] = ['full'];

/** Reads stored scopes from text with spaces between them. A text that this version does not know allows nothing. */
export function readScopes(text: string): readonly CredentialScope[] {
  return text === 'full' ? fullScopes : (parseCredentialScopes(text) ?? []);
}

/** Whether a credential has all rights of its caller. */
export function isFull(held: readonly CredentialScope[]): boolean {
  return held.includes('full');
}

/** Throws FORBIDDEN that names the scopes which are needed and not held. */
export function requireScopes(held: readonly CredentialScope[], needed: readonly CredentialScope[]): void {
  const missing = findMissing(held, needed);
  if (missing.length > 0) throw insufficientScope(missing);
}

export function hasScopes(held: readonly CredentialScope[], needed: readonly CredentialScope[]): boolean {
  return findMissing(held, needed).length === 0;
}

function findMissing(held: readonly CredentialScope[], needed: readonly CredentialScope[]): CredentialScope[] {
  return isFull(held) ? [] : needed.filter((scope) => !held.some((each) => included[each].includes(scope)));
}

/** The form in which scopes are stored and shown: each once, in the order of the list, and nothing beside `full`. */
export function normalizeScopes(scopes: readonly CredentialScope[]): CredentialScope[] {
  return credentialScopes.filter((scope) => (isFull(scopes) ? scope === 'full' : scopes.includes(scope)));
}
