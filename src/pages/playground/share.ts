import type { GraphQLRequest } from '../application/service.ts';
import type { Work } from './tabs.ts';

/* Carries a query in the fragment of the address, which browsers send to no server. */

/** The address that opens the playground with this query and these variables. */
export function buildShareLink(origin: string, { query, variables }: Work): string {
  const fragment = new URLSearchParams({ query, ...(variables.trim() !== '' && { variables }) });
  // Some chat programs end a link at a plus sign.
  return `${origin}/playground#${fragment.toString().replaceAll('+', '%20')}`;
}

/** Reads the query of a shared link; null if the fragment has none. */
export function readShareLink(fragment: string): Work | null {
  const parameters = new URLSearchParams(fragment.replace(/^#/, '').replaceAll('+', '%2B'));
  const query = parameters.get('query');
  if (query === null || query.trim() === '') return null;
  return { query, variables: parameters.get('variables') ?? '' };
}

/**
 * The request as a shell command. The credential is not copied: commands are pasted into chats and kept by shells.
 */
export function buildCurlCommand(origin: string, { query, variables, operationName }: GraphQLRequest): string {
  const body = JSON.stringify({ query, variables, ...(operationName && { operationName }) });
  const lines = [
    `curl ${quoteForShell(`${origin}/graphql`)}`,
    '-H "Authorization: Bearer $TOKEN"',
    "-H 'Content-Type: application/json'",
    `--data-raw ${quoteForShell(body)}`,
  ];
  return lines.join(' \\\n  ');
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
