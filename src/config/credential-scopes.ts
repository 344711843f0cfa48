/**
 * The closed list of credential scopes: what an API key or a narrowed personal access token may do. `webhooks` is for the
 * management of webhooks; `full` is everything that the role of the caller allows. A scope is added here and to the
 * CHECKs of the tables of credentials. src/access/credential-scopes.ts says what each of them includes.
 */
export const credentialScopes = ['read', 'events:write', 'staffing:write', 'users:write', 'webhooks', 'full'] as const;

export type CredentialScope = (typeof credentialScopes)[number];

/** Reads scopes from OAuth's form: names between single spaces. Null if the text is anything else. */
export function parseCredentialScopes(text: string): CredentialScope[] | null {
  const names = text.split(' ');
  return names.every(isCredentialScope) ? names : null;
}

const isCredentialScope = (name: string): name is CredentialScope => credentialScopes.some((scope) => scope === name);
