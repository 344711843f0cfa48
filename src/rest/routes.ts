import type { FastifyInstance } from 'fastify';
import { endsWithSlash, Failure, noSuchAddress } from '../errors.ts';
import type { RestApp } from './route.ts';
import { noteUnknownParameters } from './unknown-parameters.ts';

export type AddRoutes = (app: RestApp) => void;

interface RestParts extends Omit<RestApp, 'http'> {
  readonly routes: readonly AddRoutes[];
}

/** The REST API, in the order in which the reference shows it. */
export async function restRoutes(http: FastifyInstance, { routes, ...parts }: RestParts): Promise<void> {
  http.decorateRequest('unknownParameters', null);
  http.addHook('onRequest', async (request, reply) => {
    const { givesCsv, givesEvents } = request.routeOptions.config;
    const types = givesEvents ? ['text/event-stream'] : ['application/json', ...(givesCsv ? ['text/csv'] : [])];
    if (request.headers.accept !== undefined && request.accepts().type(types) === false)
      throw new Failure('NOT_ACCEPTABLE', `Answers are ${types.join(' or ')}.`);
    // Its last parameter would be empty, and no row has an empty id.
    if (endsWithSlash(request.url)) throw noSuchAddress(request.url);
    noteUnknownParameters(request, reply);
  });
  for (const addRoutes of routes) addRoutes({ http, ...parts });
}
