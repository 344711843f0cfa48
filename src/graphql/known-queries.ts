import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { limits } from '../config/limits.ts';
import { admitOperation, asksForCost } from './admission.ts';
import { findExcess } from './answer-limits.ts';
import { createContext, type Context } from './context.ts';
import { findOnlyQuery, type StartExecution } from './execute.ts';

/**
 * Answers queries that Apollo has answered before, in its stead: the document is parsed and valid, and the media type is the one that
 * Apollo chose for this `Accept`. Whatever is not plain data is left to Apollo, with what was done so far: a refusal, an error
 * in the result, an answer that is too large. Performance notes: src/guide/performance.md#known-queries
 */
export interface KnownQueries {
  /** Returns the answer as JSON; null if Apollo is to answer. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<string | null>;
  /** Returns the context of a request that was begun here, in which its admission and execution are not repeated. */
  contextOf(request: FastifyRequest): Context | undefined;
  /** Notes the media type that Apollo has chosen for an answer. */
  noteMediaType(request: FastifyRequest, reply: FastifyReply): void;
}

interface Parts {
  readonly schema: GraphQLSchema;
  readonly findDocument: (text: string) => DocumentNode | undefined;
  readonly start: StartExecution;
}

export function createKnownQueries({ schema, findDocument, start }: Parts): KnownQueries {
  const mediaTypes = new LRUCache<string, string>({ max: limits.acceptsRemembered });
  const begun = new WeakMap<FastifyRequest, Context>();

  return {
    async answer(request, reply) {
      const body = readBody(request);
      const mediaType = mediaTypes.get(request.headers.accept ?? '');
      const document = body && mediaType !== undefined && findDocument(body.query);
      const operation = document && findOnlyQuery(document);
      if (!operation || (body.operationName ?? operation.name?.value) !== operation.name?.value) return null;
      let context: Context | undefined;
      try {
        context = createContext(request);
        context.admission = admitOperation({ schema, document, operation, variables: body.variables }, context);
        await context.admission;
        context.execution = start(document, body, context);
        const { data = null, errors } = await context.execution;
        if (!errors && !findExcess(request.record.answer, data)) {
          reply.header('content-type', mediaType);
          return JSON.stringify({ data });
        }
      } catch {
        // Apollo meets the same error, and answers it.
      }
      if (context) begun.set(request, context);
      return null;
    },

    contextOf: (request) => begun.get(request),

    noteMediaType({ headers: { accept = '' } }, reply) {
      const mediaType = reply.getHeader('content-type');
      if (reply.statusCode === 200 && typeof mediaType === 'string' && accept.length <= limits.acceptRememberedChars)
        mediaTypes.set(accept, mediaType);
    },
  };
}

interface Body {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** The body of a query whose form Apollo accepts; null for any other. */
function readBody({ method, headers, body }: FastifyRequest): Body | null {
  if (method !== 'POST' || asksForCost(headers) || !isRecord(body)) return null;
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string' || !(isMissing(operationName) || typeof operationName === 'string')) return null;
  if (!isMissing(extensions)) return null;
  if (isMissing(variables)) return { query, operationName };
  return isRecord(variables) ? { query, operationName, variables } : null;
}

const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
