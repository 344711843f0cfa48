import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';

/** Bounds what one client or many clients can occupy in this process, beyond what Node bounds by itself. */
export function boundConnections(app: FastifyInstance, { connectionsMax, answerTimeoutMs }: Config['http']): void {
  app.server.maxConnections = connectionsMax;
  // Node silently drops headers above this number; one more than the limit lets us notice and refuse.
  app.server.maxHeadersCount = limits.headersMax + 1;
  const open = new WeakMap<Socket, number>();
  // The socket time-out ends connections of clients that stop reading. This timer ends those that read very slowly.
  app.addHook('onRequest', ({ socket }, { raw }, done) => {
    const timer = setTimeout(() => socket.destroy(), answerTimeoutMs).unref();
    const count = (open.get(socket) ?? 0) + 1;
    open.set(socket, count);
    raw.once('close', () => {
      clearTimeout(timer);
      open.set(socket, (open.get(socket) ?? 1) - 1);
    });
    // Pipelined requests are answered in order, so their answers wait in memory for the ones before them.
    if (count > limits.pipelinedMax) socket.destroy();
    else done();
  });
}
