import type { FastifyReply, FastifyRequest } from 'fastify';
import { Rehearsed } from '../access/operation.ts';
import { limits } from '../config/limits.ts';
import { Failure, invalid, shorten, type FailureCode, type FieldErrors } from '../errors.ts';
import { findNearest } from '../validation/nearest.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Errors of query parameters that the route does not know, where the business of the caller has them refused. */
    unknownParameters: FieldErrors | null;
  }
}

/** Parameters of analytics and cache busters mean nothing to a route. */
const isIgnored = (name: string): boolean => name.startsWith('_') || name.startsWith('utm_');

/** Refuses the unknown query parameters of a request, or names them in a header, as the business of the caller wants it. */
export function noteUnknownParameters(request: FastifyRequest, reply: FastifyReply): void {
  const { actor } = request.record;
  if (!actor || actor.kind === 'anonymous') return;
  const sent = Object.keys(request.query as object);
  if (sent.length === 0) return;
  const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as { properties?: object };
  const names = new Set(sent.map(nameOfKey));
  const unknown = [...names].filter((name) => !Object.hasOwn(properties, name) && !isIgnored(name));
  if (unknown.length === 0) return;
  const few = unknown.slice(0, limits.errorFieldsMax + 1);
  if (actor.strictQueries) request.unknownParameters = describeUnknown(few, Object.keys(properties));
  else reply.header('callboard-ignored-parameters', few.map((name) => encodeURIComponent(shorten(name))).join(', '));
}

/** `page[]` -> `page`. */
export const nameOfKey = (key: string): string => key.split('[')[0] || key;

function describeUnknown(names: readonly string[], known: readonly string[]): FieldErrors {
  return Object.fromEntries(
    names.map((name) => {
      const nearest = findNearest(name, known);
      const advice = nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : listKnown(known);
      return [name, [`is not a known parameter: ${advice}`]];
    }),
  );
}

const listKnown = (known: readonly string[]): string =>
  known.length > 0 ? `known are ${known.join(', ')}` : 'this address takes none';

/** Failures that say less than an unknown parameter does. Others, such as 401, 403 and 404, come first. */
const later = new Set<FailureCode>([
  'VALIDATION_FAILED',
  'CONFLICT',
  'CLASH',
  'OFFER_CLOSED',
  'LAST_ADMIN',
  'CURSOR_EXPIRED',
  'PRECONDITION_FAILED',
]);

/** Returns how a call that was rehearsed because of unknown parameters ends: with them, unless its error comes first. */
export function withUnknownParameters(error: unknown, unknown: FieldErrors): unknown {
  const isLater = error instanceof Failure && later.has(error.code);
  if (!isLater && !(error instanceof Rehearsed)) return error;
  const others = isLater && error.code === 'VALIDATION_FAILED' ? Object.entries(error.errors ?? {}) : [];
  const errors = { ...unknown };
  for (const [field, texts] of others)
    errors[field] = [...(Object.hasOwn(errors, field) ? errors[field]! : []), ...texts];
  return invalid(errors);
}
