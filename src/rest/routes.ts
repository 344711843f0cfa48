import type { FastifyInstance } from 'fastify';
import { Failure } from '../errors.ts';
import { earlierEventRoutes } from './events-earlier.ts';
import { eventRoutes } from './events.ts';
import type { RestApp } from './route.ts';
import { tokenRoutes } from './tokens.ts';
import { userRoutes } from './users.ts';
import { workShiftRoutes } from './work-shifts.ts';

/** The REST API, in the order in which the reference shows it. */
export async function restRoutes(http: FastifyInstance, parts: Omit<RestApp, 'http'>): Promise<void> {
  http.addHook('onRequest', async (request) => {
    const types = ['application/json', ...(request.routeOptions.config.givesCsv ? ['text/csv'] : [])];
    if (request.headers.accept !== undefined && request.accepts().type(types) === false)
      throw new Failure('NOT_ACCEPTABLE', `Answers are ${types.join(' or ')}.`);
  });
  for (const routes of [tokenRoutes, eventRoutes, earlierEventRoutes, workShiftRoutes, userRoutes])
    routes({ http, ...parts });
}
