import { GraphQLError, type GraphQLFormattedError, Lexer, type Source, TokenKind } from 'graphql';
import { limits } from '../config/limits.ts';
import type { QueryCost } from './query-cost.ts';

export const limitCode = 'GRAPHQL_LIMIT_EXCEEDED';

type Limited = keyof QueryCost | 'tokens';

/** What bounds an operation, and how a refusal says so. */
const bounds: Record<Limited, { max: number; says: string }> = {
  tokens: { max: limits.graphqlTokens, says: 'tokens of the document' },
  rootFields: { max: limits.graphqlRootFields, says: 'root fields' },
  depth: { max: limits.graphqlDepth, says: 'fields below one another' },
  aliases: { max: limits.graphqlAliases, says: 'aliases' },
  directives: { max: limits.graphqlDirectives, says: 'directives' },
  cost: { max: limits.graphqlCost, says: 'objects that may be read' },
};

/** The first limit that an operation exceeds, as its refusal. */
export function refuseAboveLimits(measured: QueryCost): GraphQLError | null {
  const limit = (Object.keys(measured) as (keyof QueryCost)[]).find((name) => measured[name] > bounds[name].max);
  if (!limit) return null;
  const { message, extensions } = describeExceeded(limit, measured[limit]);
  return new GraphQLError(message, { extensions: { ...extensions, http: { status: 400, headers: new Map() } } });
}

/** What an operation measures, beside what it may. */
export const serializeQueryCost = (measured: QueryCost) =>
  Object.fromEntries(
    (Object.keys(measured) as (keyof QueryCost)[]).map((name) => [
      name,
      { actual: measured[name], max: bounds[name].max },
    ]),
  );

/** The parser's refusal of a long document, as this one's; null for any other error. */
export function refuseLongDocument(error: unknown): GraphQLFormattedError | null {
  if (!(error instanceof GraphQLError) || !error.source) return null;
  if (!/^Syntax Error: Document contains more that \d+ tokens/.test(error.message)) return null;
  return describeExceeded('tokens', countTokens(error.source));
}

function describeExceeded(limit: Limited, actual: number) {
  const { max, says } = bounds[limit];
  return {
    message: `Too much in one operation: ${actual} ${says}; at most ${max} are allowed.`,
    extensions: { code: limitCode, limit, max, actual },
  };
}

/** Up to the end, or to where the document is no GraphQL. */
function countTokens(source: Source): number {
  const lexer = new Lexer(source);
  let count = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) {
      count++;
      // Tokens are linked; without the link back each is freed once it is passed.
      (lexer.token as { prev: null }).prev = null;
    }
  } catch {
    // What is no token ends the count.
  }
  return count;
}
