import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TObject } from 'typebox';
import { Rehearsed } from '../access/operation.ts';
import { limits } from '../config/limits.ts';
import { Failure, type FailureCode, type FieldErrors, invalid, shorten } from '../errors.ts';
import { spellUtc } from '../time/instants.ts';
import { compile } from '../validation/compile.ts';
import { findNearest } from '../validation/nearest.ts';
import { oneOf, optionalFields } from '../validation/schemas.ts';

/**
 * Reads a query string by its schema: decimal digits become a number where the schema has one, and a name that may be
 * repeated gives a list. Any other text stays text, so that the operation refuses it. An empty value is none, as of a form's
 * field that was left empty. Unknown keys are left out, but `page[]` is a `page` of the wrong type.
 */
export function readQuery({ properties }: TObject, query: unknown): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const [key, sent] of Object.entries(query as Record<string, string | string[]>)) {
    const given = [sent].flat().filter((each) => each !== '');
    if (given.length === 0) continue;
    const value = given.length === 1 ? given[0] : given;
    const name = nameOfKey(key);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) continue;
    if (name !== key || name in known) known[name] = [value];
    else known[name] = readValue(property, value);
  }
  return known;
}

interface Property {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly items?: Property;
  readonly 'x-utc'?: true;
}

function readValue({ type, items, 'x-utc': isUtc }: Property, value: unknown): unknown {
  if (isUtc && typeof value === 'string') return spellUtc(value);
  if (type === 'array')
    return [value]
      .flat()
      .flatMap(split(items))
      .map((each) => readValue(items ?? {}, each));
  return isNumber(type, value) ? Number(value) : value;
}

/** Words of a closed list may also stand in one parameter, with commas between. */
const split =
  (items: Property = {}) =>
  (value: unknown): unknown[] =>
    items.enum && typeof value === 'string' ? value.split(',') : [value];

const numbers: Readonly<Record<string, RegExp>> = { integer: /^-?\d{1,300}$/, number: /^-?\d{1,300}(\.\d{1,15})?$/ };

const isNumber = (type: unknown, value: unknown): value is string =>
  typeof value === 'string' && numbers[String(type)]?.test(value) === true;

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
const nameOfKey = (key: string): string => key.split('[')[0] || key;

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

/* `?fields=full` asks a read of the contract for whole rows, in a shape of their own. */

/** The media type of such answers. Its parameter tells their shape from that of the contract. */
export const fullType = 'application/json; profile=full';

const fieldsQuery = optionalFields({
  fields: oneOf(
    ['full'],
    '`full` shows whole rows in one shape: every field, and times with their offset. An extension.',
  ),
});
const checkFields = compile(fieldsQuery);

/** Adds the parameter to a query. */
export function withFieldsQuery(query: TObject | undefined): TObject {
  return Type.Object({ ...query?.properties, ...fieldsQuery.properties });
}

/** Takes the parameter out of a query, because no operation knows it, and checks it. */
export function takeFieldsQuery(sent: Record<string, unknown>): 'full' | undefined {
  const { fields } = checkFields('fields' in sent ? { fields: sent['fields'] } : {});
  delete sent['fields'];
  return fields;
}
