import type { TObject } from 'typebox';
import { spellUtc } from '../time/instants.ts';
import { nameOfKey } from './unknown-parameters.ts';

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
