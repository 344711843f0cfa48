import type { OperationRecord } from '../access/operation-record.ts';
import { credentialScopes } from '../config/credential-scopes.ts';
import { capitalized } from '../fields/codes.ts';
import { grants, scopeWords, screenSentence } from '../fields/grants.ts';

/* Rights of scopes, roles and screens, as the guides and the console show them. */

/** The parts of guides that are printed, by the mark around them. */
export function printedGrants(operations: readonly OperationRecord[]): Readonly<Record<string, string>> {
  const rowOfRole = (role: 'staff' | 'client') => {
    const allowed = operations.filter(({ roles }) => roles !== 'anyone' && role in roles).map(({ name }) => name);
    const phrases = (isRead: boolean) =>
      grants
        .filter((grant) => (grant.holder === 'read') === isRead && grant.holder !== 'screen')
        .filter((grant) => grant.operations.some((name) => allowed.includes(name)))
        .map(({ words }) => words)
        .join('; ');
    return [role === 'client' ? 'clients' : role, phrases(true), phrases(false)];
  };
  return {
    scopes: table(
      ['scope', 'what it allows'],
      credentialScopes.map((scope) => [`\`${scope}\``, scopeWords(scope)]),
    ),
    roles: table(
      ['role', 'what it reads', 'what it does'],
      [
        ['admins, business API keys', 'all data of the business', 'all that their scopes allow'],
        rowOfRole('staff'),
        rowOfRole('client'),
        ['screens', '', screenSentence],
      ],
    ),
    screens: screenSentence,
  };
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `<!-- prettier-ignore -->\n${lines.join('\n')}`;
}

/** The module of the console with the scopes, since pages import nothing of the service. */
export function grantsOfConsole(): string {
  const entries = credentialScopes.map((scope) => {
    const words = scopeWords(scope);
    return [capitalized(scope), `${words.charAt(0).toUpperCase()}${words.slice(1)}.`];
  });
  return `/** What scopes allow, printed from src/fields/grants.ts by \`npm run generate\`. */
export const scopeHints = ${JSON.stringify(Object.fromEntries(entries))};

/** Rights of a screen, as a sentence. */
export const screenSentence = ${JSON.stringify(screenSentence)};
`;
}
