import { GraphQLError, type GraphQLFormattedError, Lexer, type Source, TokenKind } from 'graphql';
import { limits } from '../config/limits.ts';
import type { QueryCost } from './query-cost.ts';

export const limitCode = 'GRAPHQL_LIMIT_EXCEEDED';

type Limited = keyof QueryCost | 'characters' | 'tokens';

/** The limits of an operation, with the noun that error messages use. */
const bounds: Record<Limited, { max: number; says: string }> = {
  characters: { max: limits.graphqlChars, says: 'characters of the document' },
  tokens: { max: limits.graphqlTokens, says: 'tokens of the document' },
  rootFields: { max: limits.graphqlRootFields, says: 'root fields' },
  depth: { max: limits.graphqlDepth, says: 'fields below one another' },
  aliases: { max: limits.graphqlAliases, says: 'aliases' },
  directives: { max: limits.graphqlRootFields, says: 'directives' },
  cost: { max: limits.graphqlCost, says: 'objects that may be read' },
};

/** Returns the refusal of an operation that exceeds a limit, for the first one it exceeds; null if it exceeds none. */
export function refuseAboveLimits(measured: QueryCost): GraphQLError | null {
  const limit = (Object.keys(measured) as (keyof QueryCost)[]).find((name) => measured[name] > bounds[name].max);
  return limit ? refuseExceeded(limit, measured[limit]) : null;
}

/** Returns the refusal of a document that is too long to be parsed and remembered; null for any other. */
export function refuseLongText(query: unknown): GraphQLError | null {
  if (typeof query !== 'string' || query.length <= bounds.characters.max) return null;
  return refuseExceeded('characters', query.length);
}

function refuseExceeded(limit: Limited, actual: number): GraphQLError {
  const { message, extensions } = describeExceeded(limit, actual);
  return new GraphQLError(message, { extensions: { ...extensions, http: { status: 400, headers: new Map() } } });
}

/** Actual and largest allowed value of each part of the query cost. */
export const serializeQueryCost = (measured: QueryCost) =>
  Object.fromEntries(
    (Object.keys(measured) as (keyof QueryCost)[]).map((name) => [
      name,
      { actual: measured[name], max: bounds[name].max },
    ]),
  );

/** Replaces the parser's error about too many tokens with our own; returns null for any other error. */
export function refuseLongDocument(error: unknown): GraphQLFormattedError | null {
  if (!(error instanceof GraphQLError) || !error.source) return null;
  if (!/^Syntax Error: Document contains more that \d+ tokens/.test(error.message)) return null;
  return describeExceeded('tokens', countTokensOfText(error.source));
}

function describeExceeded(limit: Limited, actual: number) {
  const { max, says } = bounds[limit];
  return {
    message: `Too much in one operation: ${actual} ${says}; at most ${max} are allowed.`,
    extensions: { code: limitCode, limit, max, actual },
  };
}

/** Counts the tokens up to the end, or up to the first syntax error. */
function countTokensOfText(source: Source): number {
  const lexer = new Lexer(source);
  let count = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) {
      count++;
      // Tokens form a linked list; without the link back, each can be freed as soon as it is counted.
      (lexer.token as { prev: null }).prev = null;
    }
  } catch {
    // A syntax error ends the count.
  }
  return count;
}
