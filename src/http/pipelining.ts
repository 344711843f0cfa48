import type { Socket } from 'node:net';
import { limits } from '../config/limits.ts';

/** The requests of one connection that are not answered yet. */
interface Pipeline {
  /** Requests that are being handled. */
  running: number;
  isPaused: boolean;
  /** Starts the requests that have arrived beyond the limit, in their order. */
  readonly waiting: (() => void)[];
}

const pipelines = new WeakMap<Socket, Pipeline>();

/**
 * Bounds the requests of one connection that are handled at the same time: pipelined requests are answered in order, so their
 * answers wait in memory for the ones before them. Beyond the limit, requests wait and nothing more is read from the
 * connection, so only what a packet held can wait. The request begins when `start` is called; `endRequest` ends it.
 */
export function startInTurn(socket: Socket, start: () => void): void {
  const pipeline = pipelines.get(socket) ?? startPipeline(socket);
  pipeline.waiting.push(start);
  startNext(socket, pipeline);
  if (pipeline.waiting.length > 0) {
    pipeline.isPaused = true;
    stopReading(socket);
  }
}

/** Ends a request that `startInTurn` has started. */
export function endRequest(socket: Socket): void {
  const pipeline = pipelines.get(socket);
  if (!pipeline) return;
  pipeline.running--;
  startNext(socket, pipeline);
}

function startPipeline(socket: Socket): Pipeline {
  const pipeline: Pipeline = { running: 0, isPaused: false, waiting: [] };
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
  // Nobody would read the answers.
  if (socket.destroyed) pipeline.waiting.length = 0;
  while (pipeline.running < limits.pipelinedMax) {
    const start = pipeline.waiting.shift();
    if (!start) break;
    pipeline.running++;
    start();
  }
  // The body of the last request may have to be read yet.
  if (pipeline.isPaused && pipeline.waiting.length === 0) {
    pipeline.isPaused = false;
    socket.resume();
  }
}

/** Whether the service itself has stopped reading, so that a request on its way cannot arrive in time. */
export function isReadingPaused(socket: Socket): boolean {
  return pipelines.get(socket)?.isPaused === true;
}
