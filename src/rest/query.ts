import type { TObject } from 'typebox';

/**
 * Reads a query string by its schema: plain decimal digits become a number where the schema has one, and a name that may be
 * repeated gives a list. Any other text stays text, so that the operation refuses it. Unknown keys are left out, but
 * `page[]` is a `page` of the wrong type.
 */
export function readQuery({ properties }: TObject, query: unknown): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(query as Record<string, unknown>)) {
    const name = key.split('[')[0] ?? key;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) continue;
    if (name !== key || name in known) known[name] = [value];
    else known[name] = readValue(property, value);
  }
  return known;
}

function readValue(
  { type, items }: { type?: unknown; items?: { type?: unknown; enum?: unknown } },
  value: unknown,
): unknown {
  if (type === 'array')
    return [value]
      .flat()
      .flatMap(split(items))
      .map((each) => readValue(items ?? {}, each));
  return isNumber(type, value) ? Number(value) : value;
}

/** Words of a closed list may also stand in one parameter, with commas between. */
const split =
  (items: { enum?: unknown } = {}) =>
  (value: unknown): unknown[] =>
    items.enum && typeof value === 'string' ? value.split(',') : [value];

const numbers: Readonly<Record<string, RegExp>> = { integer: /^\d{1,15}$/, number: /^\d{1,15}(\.\d{1,15})?$/ };

const isNumber = (type: unknown, value: unknown): value is string =>
  typeof value === 'string' && numbers[String(type)]?.test(value) === true;
