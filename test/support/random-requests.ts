import fc, { type Arbitrary } from 'fast-check';
import type { Route, Shape } from './parity.ts';
import * as values from './random-values.ts';
import type { Pool } from './random-values.ts';

/* Random calls of REST, made from the OpenAPI document. */

export interface RandomRequest {
  readonly url: string;
  /** Texts as they stand in the address. */
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A value that the shape allows, as far as a shape can say. */
function fitting(shape: Shape, name: string, pool: Pool): Arbitrary<unknown> {
  const { type, enum: allowed, anyOf, format, maxLength = 1000, minimum = 0, maximum = 100 } = shape;
  if (allowed) return fc.constantFrom(...allowed);
  if (anyOf) return fc.oneof(...anyOf.map((branch) => fitting(branch, name, pool)));
  const kinds = [type].flat();
  const one = (): Arbitrary<unknown> => {
    if (kinds.includes('boolean')) return fc.boolean();
    if (kinds.includes('integer'))
      return /ids?$/.test(name)
        ? values.id(pool, name)
        : fc.oneof(
            { weight: 5, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20) }) },
            { weight: 1, arbitrary: fc.integer({ min: minimum, max: maximum }) },
          );
    if (kinds.includes('number')) return maximum === 1 ? fc.constantFrom(0, 0.5, 1) : values.money.map(Number);
    if (kinds.includes('object')) return objectOf(shape, name, pool);
    if (kinds.includes('array'))
      return fc.uniqueArray(fitting(shape.items!, name, pool), { minLength: 1, maxLength: 3 });
    if (format === 'wall-time') return values.wallTime;
    if (format === 'money') return values.money;
    if (format === 'local-date') return values.date;
    if (format === 'time-of-day') return values.timeOfDay;
    if (format === 'date-time') return values.instantFor(name);
    if (format === 'credential-scopes') return values.scopeText;
    if (format === 'screen-code') return values.screenCode;
    if (format === 'screen-secret') return values.screenSecret;
    if (format === 'iana-zone') return values.zone;
    if (format === 'uuid') return values.uuid(pool, name);
    if (format === 'email-ascii') return values.email;
    if (format?.startsWith('degrees')) return values.degrees;
    if (name.endsWith('.password')) return values.password;
    if (name.endsWith('.url')) return values.receiverUrl;
    return values.visibleText(maxLength);
  };
  return kinds.includes('null')
    ? fc.oneof({ weight: 6, arbitrary: one() }, { weight: 1, arbitrary: fc.constant(null) })
    : one();
}

/** An object with the fields that it requires, and some of the others. */
const objectOf = ({ properties = {}, required = [] }: Shape, name: string, pool: Pool): Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([field, shape]) => [field, fitting(shape, `${name}.${field}`, pool)]),
    ) as Record<string, Arbitrary<unknown>>,
    { requiredKeys: [...required] },
  );

/** The list that a parameter in the address names a row of: `events` in `/v1/events/{uuid}/custom_fields`. */
const listBefore = (path: string, name: string): string =>
  (path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? '').replaceAll('_', '');

/** Most values fit, so that the deeper rules are reached; any may be nonsense, missing or one too many. */
export function requestOf({ takes, path, operationId }: Route, pool: Pool): Arbitrary<RandomRequest> {
  const of = (place: 'path' | 'query' | 'body') => Object.entries(takes).filter(([, taken]) => taken.in === place);
  const spoilt = fc.nat(29);
  const value = (shape: Shape, name: string) =>
    spoilt.chain((dice) => (dice === 0 ? values.nonsense : fitting(shape, name, pool)));
  const record = (place: 'path' | 'query' | 'body') =>
    fc.record(
      Object.fromEntries(
        of(place).map(([name, { shape }]) => [
          name,
          value(shape, `${place === 'path' ? listBefore(path, name) : operationId}.${name}`),
        ]),
      ) as Record<string, Arbitrary<unknown>>,
      {
        requiredKeys: of(place)
          .filter(([, { required }]) => required)
          .map(([name]) => name),
      },
    );
  const bodies: Arbitrary<unknown> = fc
    .tuple(record('body'), fc.nat(19), values.nonsense, fc.nat(19))
    .map(([body, dice, anything, which]) => {
      if (dice === 0) return anything;
      if (dice === 1) return { ...body, [textOf(anything).slice(0, 20)]: anything };
      if (dice === 2) return Object.fromEntries(Object.entries(body).filter((_, index) => index !== which % 4));
      return body;
    });
  // A random cursor is refused, so few requests have one.
  const queries = fc.tuple(record('query'), fc.nat(7)).map(([{ after, before, ...query }, dice]) => {
    if (dice > 0) return query;
    return { ...query, ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
  });
  return fc.record({ params: record('path'), query: queries, body: bodies }).map(({ params, query, body }) => {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(params[name]));
    const texts = Object.fromEntries(Object.entries(query).map(([name, given]) => [name, textOf(given)]));
    const search = Object.entries(texts).map(([name, text]) => `${name}=${encoded(text)}`);
    return {
      url: address + (search.length > 0 ? `?${search.join('&')}` : ''),
      query: texts,
      ...(of('body').length > 0 && { body }),
    };
  });
}

/** No longer than an address can be. A list is one text with commas. */
const textOf = (value: unknown): string =>
  (Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    .toWellFormed()
    .slice(0, 1500)
    .toWellFormed();

/** Never empty: an empty path parameter is another address. */
const encoded = (value: unknown): string => encodeURIComponent(textOf(value)).replaceAll('.', '%2E') || '%20';
