import type { ApolloServerOptions } from '@apollo/server';
import { TokenKind, type DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { limits } from '../config/limits.ts';
import type { Context } from './context.ts';

/**
 * Keeps parsed and valid documents for Apollo, up to a bound on the memory that they hold, their source text included. Apollo's own
 * store does not count the text. A document is kept when it comes a second time; of one that came once, only the digest is
 * remembered, so that documents that are never sent again do not drive out the others.
 */
export function createDocumentStore(): NonNullable<ApolloServerOptions<Context>['documentStore']> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: limits.graphqlDocumentsBytes,
    sizeCalculation: measureDocument,
  });
  const seenOnce = new LRUCache<string, true>({ max: limits.remembered });
  return {
    get: async (digest) => documents.get(digest),
    set: async (digest, document) => {
      if (seenOnce.delete(digest)) documents.set(digest, document);
      else seenOnce.set(digest, true);
    },
    delete: async (digest) => documents.delete(digest),
  };
}

/** Memory of a token of a parsed document with its nodes; 350 to 500 bytes were measured. */
const tokenBytes = 512;

/** Memory of a parsed document in bytes: its text, with two bytes for a character, and its tokens with their nodes. */
export function measureDocument({ loc }: DocumentNode): number {
  return 2 * (loc?.source.body.length ?? 0) + tokenBytes * countTokens(loc);
}

export function countTokens(location: DocumentNode['loc']): number {
  let count = 0;
  for (let token = location?.startToken; token && token.kind !== TokenKind.EOF; token = token.next ?? undefined)
    count++;
  return count;
}
