import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi.d.ts';

/* Each line below names what the document has not: a compiler that accepts one of them checks nothing. */

const api = createClient<paths, 'application/json'>();
export const address = await api.GET('/v1/shows');
export const owner: components['schemas']['UsersCreateBody']['role'] = 'owner';
export const stage = (event: components['schemas']['Event']) => event.stage;
export const why = (problem: components['schemas']['Problem']) => Object.keys(problem.errors);
