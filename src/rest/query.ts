import type { TObject } from 'typebox';

/**
 * Reads a query string by its schema: plain decimal digits become a number where the schema has one. Any other text stays
 * text, so that the operation refuses it. Unknown keys are left out, but `page[]` is a `page` of the wrong type.
 */
export function readQuery({ properties }: TObject, query: unknown): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(query as Record<string, unknown>)) {
    const name = key.split('[')[0] ?? key;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) continue;
    if (name !== key || name in known) known[name] = [value];
    else known[name] = isInteger(property) && isDigits(value) ? Number(value) : value;
  }
  return known;
}

const isInteger = (property: { type?: unknown }) => property.type === 'integer';

const isDigits = (value: unknown): value is string => typeof value === 'string' && /^\d{1,15}$/.test(value);
