import type { ApolloServerOptions } from '@apollo/server';
import { TokenKind, type DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { limits } from '../config/limits.ts';
import type { Context } from './context.ts';

interface DocumentStore extends NonNullable<ApolloServerOptions<Context>['documentStore']> {
  /** Returns the document of a text, if it is kept. */
  findByText(text: string): DocumentNode | undefined;
}

/**
 * Keeps parsed and valid documents for Apollo, up to a bound on the memory that they hold, their source text included. Apollo's own
 * store does not count the text. A document is kept when it comes a second time; of one that came once, only the digest is
 * remembered, so that nobody can fill the memory with documents that are never sent again.
 */
export function createDocumentStore(): DocumentStore {
  const byText = new Map<string, DocumentNode>();
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: limits.graphqlDocumentsBytes,
    sizeCalculation: measureDocument,
    dispose: ({ loc }) => void byText.delete(loc?.source.body ?? ''),
  });
  const seenOnce = new LRUCache<string, true>({ max: limits.graphqlDocumentsSeen });
  return {
    get: async (digest) => documents.get(digest),
    set: async (digest, document) => {
      if (seenOnce.delete(digest)) {
        documents.set(digest, document);
        if (document.loc && documents.has(digest)) byText.set(document.loc.source.body, document);
      } else seenOnce.set(digest, true);
    },
    delete: async (digest) => documents.delete(digest),
    findByText: (text) => byText.get(text),
  };
}

/** Memory of a parsed document in bytes: its text, with two bytes for a character, and its tokens with their nodes. */
export function measureDocument({ loc }: DocumentNode): number {
  return 2 * (loc?.source.body.length ?? 0) + limits.graphqlTokenBytes * countTokens(loc);
}

/** Number of tokens of a parsed document. */
export function countTokens(location: DocumentNode['loc']): number {
  let count = 0;
  for (let token = location?.startToken; token && token.kind !== TokenKind.EOF; token = token.next ?? undefined)
    count++;
  return count;
}
