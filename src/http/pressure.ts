import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { limits } from '../config/limits.ts';
import { unavailable } from '../errors.ts';

/**
 * Refuses requests that arrived while the event loop was blocked: another copy of the service can answer them sooner,
 * and an overload grows if every caller waits. Probes and pages are always answered.
 */
export const pressure = fp(async (app: FastifyInstance, { blockedMs }: { blockedMs: number }) => {
  const everyMs = limits.loopCheckMs;
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
    if (Math.max(lastLateMs, lateMs()) > blockedMs) throw unavailable('The service is too busy: try again.', 1);
  });
});
