import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  createSourceEventStream,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { createHandler, type RequestParams } from 'graphql-sse';
import { LRUCache } from 'lru-cache';
import { limits } from '../config/limits.ts';
import { Failure } from '../errors.ts';
import { eventType } from '../http/answer-headers.ts';
import type { EventSource, EventStreams, ReadyForMore } from '../http/event-streams.ts';
import type { LiveItems } from '../services/live.ts';
import { admitOperation } from './admission.ts';
import type { Context } from './context.ts';
import { measureDocument } from './documents.ts';
import { formatResult, refusal } from './failures.ts';
import { LiveResults, onlyResult } from './live-results.ts';

/** Context of a subscription, and its way to wait for the client and the rate limit. */
interface Stream {
  readonly context: Context;
  readonly ready: ReadyForMore;
}

/**
 * Answers subscriptions over server-sent events, in the distinct mode of graphql-sse: a request for each stream. Apollo Server runs
 * no subscriptions, so the steps that it takes before execution are taken here, with the same limits.
 */
export function answerAsEvents(
  schema: GraphQLSchema,
  streams: EventStreams,
  contextOf: (request: FastifyRequest, reply: FastifyReply) => Promise<Context>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const parseDocument = createDocumentParser();

  async function subscribe({ context, ready }: Stream, params: RequestParams) {
    const { query, operationName, variables: variableValues } = params;
    const document = parseDocument(query);
    const invalid = validate(schema, document, undefined, { maxErrors: limits.graphqlErrorsMax });
    if (invalid.length > 0) return onlyResult(formatResult({ errors: invalid.map(asInvalid) }, context));
    const operation = getOperationAST(document, operationName);
    if (!operation) throw refusal(new Failure('BAD_REQUEST', 'The document has no such operation.'));
    if (operation.operation !== OperationTypeNode.SUBSCRIPTION) throw refusal(onlySubscriptions());
    await admitOperation({ schema, document, operation, variables: variableValues }, context);
    const args = {
      schema,
      document,
      ...(typeof operationName === 'string' && { operationName }),
      ...(variableValues && { variableValues }),
    };
    const source = await createSourceEventStream({ ...args, contextValue: context });
    // Each event has loaders of its own; these would take half of the memory of an open stream.
    delete (context as Partial<Context>).loaders;
    return isResult(source)
      ? onlyResult(formatResult(source, context))
      : new LiveResults(source as LiveItems<object>, { args, context, ready });
  }

  const handle = createHandler<FastifyRequest, Stream>({
    schema,
    // No token, and so no stream that several requests share: they could come to different processes.
    authenticate: () => '',
    onSubscribe: ({ context }, params) => subscribe(context, params),
  });

  return async (request, reply) => {
    const context = await contextOf(request, reply);
    const serving = streams.serve(reply, async (ready) => {
      const [body, { status }] = await handle({
        method: request.method,
        url: request.url,
        headers: { get: (name) => (name === 'accept' ? eventType : headerOf(request, name)) },
        body: () => request.body as Record<string, unknown>,
        raw: request,
        context: { context, ready },
      });
      if (body && typeof body !== 'string') return body as EventSource;
      const [error] = body ? ((JSON.parse(body) as ExecutionResult).errors ?? []) : [];
      const code = status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : 'BAD_REQUEST';
      throw new Failure(code, error?.message ?? 'The request is malformed.');
    });
    return serving.catch((error: unknown) => {
      if (error instanceof GraphQLError) return refuse(reply, error, context);
      throw error;
    });
  };
}

/** Answers a request that is refused as a whole, before its stream begins. */
function refuse(reply: FastifyReply, error: GraphQLError, context: Context): FastifyReply {
  const { status = 400, headers = new Map<string, string>() } = (error.extensions['http'] ?? {}) as HttpPart;
  const plain = new GraphQLError(error.message, { extensions: { ...error.extensions, http: undefined } });
  return reply
    .code(status)
    .headers(Object.fromEntries(headers))
    .send(formatResult({ errors: [plain] }, context));
}

interface HttpPart {
  readonly status?: number;
  readonly headers?: ReadonlyMap<string, string>;
}

const onlySubscriptions = () =>
  new Failure('NOT_ACCEPTABLE', `Only subscriptions are answered as ${eventType}: accept application/json.`);

function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : String(value);
}

const isResult = (source: AsyncIterable<unknown> | ExecutionResult): source is ExecutionResult =>
  !(Symbol.asyncIterator in source);

const asInvalid = ({ message, nodes }: GraphQLError) =>
  new GraphQLError(message, { nodes: nodes ?? null, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });

/** Parses each text once: streams are many and their documents few, and a parsed document is as large as the rest of a stream. */
function createDocumentParser(): (query: string) => DocumentNode {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: limits.streamDocumentsBytes,
    sizeCalculation: measureDocument,
  });
  return (query) => {
    const known = documents.get(query);
    if (known) return known;
    const document = parseText(query);
    documents.set(query, document);
    return document;
  };
}

function parseText(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: limits.graphqlTokens });
  } catch (error) {
    const { message, source, positions } = error as GraphQLError;
    throw new GraphQLError(message, {
      source: source ?? null,
      positions: positions ?? null,
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    });
  }
}
