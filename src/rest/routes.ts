import type { FastifyInstance } from 'fastify';
import { Failure } from '../errors.ts';
import type { RestApp } from './route.ts';

/** Adds the routes of a noun. */
export type AddRoutes = (app: RestApp) => void;

interface RestParts extends Omit<RestApp, 'http'> {
  readonly routes: readonly AddRoutes[];
}

/** The REST API, in the order in which the reference shows it. */
export async function restRoutes(http: FastifyInstance, { routes, ...parts }: RestParts): Promise<void> {
  http.addHook('onRequest', async (request) => {
    const { givesCsv, givesEvents } = request.routeOptions.config;
    const types = givesEvents ? ['text/event-stream'] : ['application/json', ...(givesCsv ? ['text/csv'] : [])];
    if (request.headers.accept !== undefined && request.accepts().type(types) === false)
      throw new Failure('NOT_ACCEPTABLE', `Answers are ${types.join(' or ')}.`);
  });
  for (const addRoutes of routes) addRoutes({ http, ...parts });
}
