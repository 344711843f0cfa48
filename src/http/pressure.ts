import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { limits } from '../config/limits.ts';
import { unavailable } from '../errors.ts';

/**
 * Refuses what arrived while the process was too busy to take it up: another copy of the service is better asked, and an
 * overload that every caller waits out only grows. Probes and pages are answered all the same.
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
    // Requests may come up before the tick that is due.
    if (Math.max(lastLateMs, lateMs()) > blockedMs) throw unavailable('The service is too busy.', 1);
  });
});
