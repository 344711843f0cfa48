import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';

/** What one client, or many of them, may hold of this process besides what Node bounds by itself. */
export function boundConnections(app: FastifyInstance, { connectionsMax, answerTimeoutMs }: Config['http']): void {
  app.server.maxConnections = connectionsMax;
  // Node drops what comes on top in silence.
  app.server.maxHeadersCount = limits.headersMax + 1;
  const open = new WeakMap<Socket, number>();
  // A reader that stops altogether meets the socket's time-out; this is for one that takes a little now and then.
  app.addHook('onRequest', ({ socket }, { raw }, done) => {
    const timer = setTimeout(() => socket.destroy(), answerTimeoutMs).unref();
    const count = (open.get(socket) ?? 0) + 1;
    open.set(socket, count);
    raw.once('close', () => {
      clearTimeout(timer);
      open.set(socket, (open.get(socket) ?? 1) - 1);
    });
    // Answers to requests sent in advance wait in memory for those before them.
    if (count > limits.pipelinedMax) socket.destroy();
    else done();
  });
}
