import { AsyncResource } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { idOfActor, type Actor } from '../access/actor.ts';
import type { OperationRecord } from '../access/operation-record.ts';
import type { WriteCount } from '../access/scope.ts';
import { countStatementsOn, type StatementCount } from '../db/engine/statement-count.ts';
import type { Bound, FailureCode } from '../errors.ts';
import { AnswerSize, type AnswerMemory } from './answer-memory.ts';
import { statusByCode } from './failures.ts';

/** Facts about a request that are collected while it is handled, for its log line and for the metrics. */
export interface RequestRecord extends StatementCount {
  /** The business whose shares of exports and streams the request takes; undefined before the caller is known. */
  payer?: number;
  /** Memory that the answer takes, and the bounds on it. */
  readonly answer: AnswerSize;
  actor?: Actor;
  /** Type and root fields of a GraphQL operation, by their names in the schema. */
  graphql?: { readonly type: string; readonly fields: readonly string[] };
  /** Code of the failure that was answered; for GraphQL, of the most serious one. */
  code?: string;
  /** Whether the failure that was answered is planned, as while the process shuts down. */
  isPlanned?: boolean;
  /** The bound by which the request was refused. */
  bound?: Bound | undefined;
  /** Set once the answer is a stream of events: how many were sent, their objects, and whether its client was cut off. */
  stream?: { events: number; objects: number; isCut?: true };
  /** Every operation that contributed to the answer. */
  readonly operations: Set<OperationRecord>;
  readonly writes: WriteCount;
  /** Set if the answer holds rows of a later data version than that of the actor. */
  isOfLaterRevision?: true;
  /** Points taken from the rate limit. */
  points: number;
}

export interface FinishedRequest {
  readonly request: FastifyRequest;
  readonly status: number;
  readonly outcome: 'ok' | 'refused' | 'failed' | 'aborted';
  readonly durationMs: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord;
  }
}

interface RequestLogParts {
  readonly answerMemory: AnswerMemory;
  readonly onFinished?: ((finished: FinishedRequest) => void) | undefined;
}

/**
 * Writes one log line per request, when it is answered or abandoned. Registered first, so that every request has a
 * record.
 */
export const requestLog = fp(async (app: FastifyInstance, { answerMemory, onFinished }: RequestLogParts) => {
  let inFlight = 0;
  app.decorate('countInFlight', () => inFlight);
  app.decorateRequest('record');
  app.decorate('beginRecord', (request: FastifyRequest, reply: FastifyReply) => {
    const answer = new AnswerSize(answerMemory);
    request.record = { statements: 0, operations: new Set(), writes: { count: 0 }, points: 0, answer };
    let isOver = false;
    inFlight++;
    const end = (isAborted: boolean) => {
      if (isOver) return;
      isOver = true;
      inFlight--;
      answer.close();
      const finished = finish(request, reply, isAborted);
      write(finished);
      onFinished?.(finished);
    };
    // Keeps the async context of the request, so that its log line carries the trace it belongs to.
    const context = new AsyncResource('request');
    reply.raw.once('finish', () => context.runInAsyncScope(end, null, false));
    reply.raw.once('close', () => context.runInAsyncScope(end, null, true));
  });

  app.addHook('onRequest', (request, reply, done) => {
    app.beginRecord(request, reply);
    countStatementsOn(request.record, done);
  });
  app.addHook('onSend', ({ record: { code, writes } }, reply, _payload, done) => {
    if (code === 'UNAVAILABLE' && writes.count === 0) reply.header('callboard-not-executed', 'true');
    done();
  });
  // The body arrives in events of the connection, outside the async context of the request.
  app.addHook('preValidation', (request, _reply, done) => countStatementsOn(request.record, done));
});

declare module 'fastify' {
  interface FastifyInstance {
    /** Starts the record of a request that the framework refuses before any hook runs. */
    beginRecord: (request: FastifyRequest, reply: FastifyReply) => void;
    /** Requests that are not answered yet, open streams included. */
    countInFlight: () => number;
  }
}

function finish(request: FastifyRequest, reply: FastifyReply, isClosed: boolean): FinishedRequest {
  const { code, isPlanned, stream } = request.record;
  // A stream ends when its client closes it.
  const isAborted = isClosed && (!stream || stream.isCut === true);
  const isFailed = !isPlanned && (reply.statusCode >= 500 || isOurFault(code));
  const isRefused = reply.statusCode >= 400 || code !== undefined;
  return {
    request,
    status: reply.statusCode,
    outcome: isAborted ? 'aborted' : isFailed ? 'failed' : isRefused ? 'refused' : 'ok',
    durationMs: reply.elapsedTime,
  };
}

/** Whether the failure is caused by this service and not by its caller. */
export const isOurFault = (code: string | undefined): boolean =>
  code !== undefined && code in statusByCode && statusByCode[code as FailureCode] >= 500;

/** The route is logged by its pattern: the address itself may contain confidential values. */
function write({ request, status, outcome, durationMs }: FinishedRequest): void {
  const { record, method, routeOptions, log } = request;
  const { entry = 'nothing' } = routeOptions.config;
  const line = {
    method,
    route: routeOptions.url ?? null,
    status: outcome === 'aborted' ? null : status,
    operation: operationOf(request),
    outcome,
    ...(record.code !== undefined && { code: record.code }),
    ...callerOf(record.actor),
    durationMs: Math.round(durationMs * 10) / 10,
    sql: record.statements,
    ...(record.stream && { events: record.stream.events }),
  };
  if (entry === 'page' && outcome !== 'failed') log.debug(line, 'request');
  else log.info(line, 'request');
}

function operationOf({ record, routeOptions }: FastifyRequest): string | null {
  const { entry = 'nothing' } = routeOptions.config;
  if (entry === 'page' || entry === 'nothing') return null;
  if (entry !== 'graphql') return entry.name;
  return record.graphql ? `${record.graphql.type} ${record.graphql.fields.join(' ')}` : 'graphql';
}

function callerOf(actor: Actor | undefined) {
  if (!actor) return {};
  if (actor.kind === 'anonymous') return { actor: actor.kind };
  return { businessId: actor.businessId, actor: actor.kind, actorId: idOfActor(actor) };
}
