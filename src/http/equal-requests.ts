import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Requests that are being answered, so that equal ones which come meanwhile can wait for the answer instead of computing it too. */
export interface EqualRequests {
  /**
   * Returns null if the request is the first of its name, and must be answered. Otherwise returns a promise, which is kept
   * once the first one is answered, in whatever way, or has taken too long.
   */
  join(request: FastifyRequest, name: string): Promise<void> | null;
  /** Notes that the request is answered. */
  leave(request: FastifyRequest): void;
}

export function createEqualRequests(app: FastifyInstance, waitMs: number): EqualRequests {
  const waitersByName = new Map<string, (() => void)[]>();
  const answering = new WeakMap<FastifyRequest, { readonly name: string; readonly timer: NodeJS.Timeout }>();

  const leave = (request: FastifyRequest): void => {
    const { name, timer } = answering.get(request) ?? {};
    if (name === undefined) return;
    clearTimeout(timer);
    answering.delete(request);
    const waiters = waitersByName.get(name) ?? [];
    waitersByName.delete(name);
    for (const go of waiters) go();
  };
  // A request that fails, or whose client is gone, ends here. The timer also serves one whose client was gone before it joined.
  app.addHook('onResponse', async (request) => leave(request));

  return {
    join(request, name) {
      const waiters = waitersByName.get(name);
      if (waiters) return new Promise((resolve) => waiters.push(resolve));
      waitersByName.set(name, []);
      answering.set(request, { name, timer: setTimeout(leave, waitMs, request).unref() });
      return null;
    },
    leave,
  };
}
