import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { overBound } from '../errors.ts';

/** The requests of one connection that are not answered yet. */
interface Pipeline {
  /** Answers to the requests that are being handled. */
  readonly running: Set<ServerResponse>;
  /** The requests that have arrived beyond the limit, in their order. */
  readonly waiting: { readonly answer: ServerResponse; readonly start: () => void }[];
  isPaused: boolean;
}

const pipelines = new WeakMap<Socket, Pipeline>();
const answerTimers = new WeakMap<ServerResponse, NodeJS.Timeout>();

/** Lets an answer go on for as long as its client reads: a stream of events has no end. */
export function keepAnswering(answer: ServerResponse): void {
  clearTimeout(answerTimers.get(answer));
}

/**
 * Bounds what one client or many clients can occupy in this process, beyond what Node bounds by itself. Pipelined requests are answered
 * in order, so their answers wait in memory for the ones before them. Beyond a number of them, requests wait and nothing more is read
 * from the connection, so only what a packet held can wait.
 */
export function boundConnections(app: FastifyInstance, { connectionsMax, answerTimeoutMs }: Config['http']): void {
  app.server.maxConnections = connectionsMax;
  // Node silently drops headers above this number; one more than the limit lets us notice and refuse.
  app.server.maxHeadersCount = limits.headersMax + 1;
  app.addHook('onRequest', ({ socket }, { raw: answer }, start) => {
    const pipeline = pipelines.get(socket) ?? openPipeline(socket);
    // The socket time-out ends connections of clients that stop reading. This timer ends those that read very slowly.
    const timer = setTimeout(() => socket.destroy(), answerTimeoutMs).unref();
    answerTimers.set(answer, timer);
    // One listener does both: Node warns if an answer has more than ten, and the streams behind an answer add theirs.
    answer.once('close', () => {
      clearTimeout(timer);
      pipeline.running.delete(answer);
      startNext(socket, pipeline);
    });
    pipeline.waiting.push({ answer, start });
    startNext(socket, pipeline);
    if (pipeline.waiting.length === 0) return;
    pipeline.isPaused = true;
    stopReading(socket);
  });
}

function openPipeline(socket: Socket): Pipeline {
  const pipeline: Pipeline = { running: new Set(), waiting: [], isPaused: false };
  pipelines.set(socket, pipeline);
  // Node resumes the connection by itself, for example to read the body of a request.
  socket.on('resume', () => pipeline.isPaused && stopReading(socket));
  return pipeline;
}

/** Node's HTTP server reads from the connection itself and stops at this event, which `pause` gives only the first time. */
function stopReading(socket: Socket): void {
  socket.pause();
  socket.emit('pause');
}

function startNext(socket: Socket, pipeline: Pipeline): void {
  const { running, waiting } = pipeline;
  // Nobody would read the answers.
  if (socket.destroyed) waiting.length = 0;
  while (running.size < limits.pipelinedMax) {
    const next = waiting.shift();
    if (!next) break;
    running.add(next.answer);
    next.start();
  }
  // The body of the last request may have to be read yet.
  if (pipeline.isPaused && waiting.length === 0) {
    pipeline.isPaused = false;
    socket.resume();
  }
}

/** Whether the service itself has stopped reading, so that a request on its way cannot arrive in time. */
export function isReadingPaused(socket: Socket): boolean {
  return pipelines.get(socket)?.isPaused === true;
}

/** Whether an answer has begun on the connection, so that another one could not be understood. */
export function isAnswering(socket: Socket): boolean {
  return [...(pipelines.get(socket)?.running ?? [])].some(({ headersSent }) => headersSent);
}

/**
 * Refuses requests that arrived while the event loop was blocked: another copy of the service can answer them sooner,
 * and an overload grows if every caller waits. Probes and pages are always answered.
 */
export const pressure = fp(async (app: FastifyInstance, { blockedMs }: { blockedMs: number }) => {
  const everyMs = limits.lookMs;
  let tickedAt = performance.now();
  let lastLateMs = 0;
  const lateMs = () => performance.now() - tickedAt - everyMs;
  const timer = setInterval(() => {
    lastLateMs = lateMs();
    tickedAt = performance.now();
  }, everyMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));

  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.entry === 'page') return;
    // A request may be handled before the timer that is already due, so the lateness is computed here as well.
    if (Math.max(lastLateMs, lateMs()) > blockedMs)
      throw overBound('event_loop', 'The service is too busy: try again.', 1);
  });
});
