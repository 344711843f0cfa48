interface QuerySchema {
  readonly properties: Record<string, { type?: string | string[] }>;
}

/**
 * Reads a query string by its schema: whole numbers are plain decimal digits, anything else stays text and so is refused
 * by the schema. Keys that the schema does not know are ignored, but `page[]` is a `page` of the wrong kind.
 */
export const readQuery =
  ({ properties }: QuerySchema) =>
  (query: unknown): Record<string, unknown> => {
    const known: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(query as Record<string, unknown>)) {
      const name = key.split('[')[0] ?? key;
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!property) continue;
      if (name !== key || name in known) known[name] = [value];
      else known[name] = property.type === 'integer' && isDigits(value) ? Number(value) : value;
    }
    return known;
  };

const isDigits = (value: unknown): value is string => typeof value === 'string' && /^\d{1,15}$/.test(value);
