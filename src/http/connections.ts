import cluster from 'node:cluster';
import type { ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { endRequest, startInTurn } from './pipelining.ts';

const answerTimers = new WeakMap<ServerResponse, NodeJS.Timeout>();

/** Lets an answer go on for as long as its client reads: a stream of events has no end. */
export function keepAnswering(answer: ServerResponse): void {
  clearTimeout(answerTimers.get(answer));
}

/** Bounds what one client or many clients can occupy in this process, beyond what Node bounds by itself. */
export function boundConnections(app: FastifyInstance, { connectionsMax, answerTimeoutMs }: Config['http']): void {
  if (cluster.isWorker) boundCount(app.server, connectionsMax);
  else app.server.maxConnections = connectionsMax;
  // Node silently drops headers above this number; one more than the limit lets us notice and refuse.
  app.server.maxHeadersCount = limits.headersMax + 1;
  // The socket time-out ends connections of clients that stop reading. This timer ends those that read very slowly.
  app.addHook('onRequest', ({ socket }, { raw }, done) => {
    const timer = setTimeout(() => socket.destroy(), answerTimeoutMs).unref();
    answerTimers.set(raw, timer);
    // One listener for both, because Node warns of more than ten, which an answer that is streamed would have.
    raw.once('close', () => {
      clearTimeout(timer);
      endRequest(socket);
    });
    startInTurn(socket, done);
  });
}

/** With Node's `maxConnections`, a full worker gives the connection back to the primary, which offers it again, without a pause. */
function boundCount(server: Server, connectionsMax: number): void {
  let count = 0;
  server.on('connection', (socket) => {
    if (count >= connectionsMax) return void socket.destroy();
    count++;
    socket.once('close', () => count--);
  });
}
