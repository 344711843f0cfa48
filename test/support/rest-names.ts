import { snakeCase } from '../../src/rest/dialect.ts';

/* One input for both dialects is written in GraphQL's names. REST spells them in its own way. */

/** Fields that hold a value of an enum: written as in REST, which has them in lower case. */
const ofEnums = new Set(['kind', 'role', 'rule', 'type', 'weekday', 'payUnit', 'answer']);
const isUuid = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/.test(value);

/** The name in REST, where rows are named by their UUID or by their number. */
const restName = (name: string, value: unknown): string => {
  const [first] = [value].flat();
  return snakeCase(isUuid(first) ? name.replace(/Id(s?)$/, 'Uuid$1') : name);
};

const mapped = (value: unknown, field: (name: string, inner: unknown) => [string, unknown]): unknown => {
  if (Array.isArray(value)) return value.map((each) => mapped(each, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => field(name, mapped(inner, field))));
};

/** An input as the body of a route. */
export const toRest = (input: object): object =>
  mapped(input, (name, value) =>
    name === 'override' ? ['override_reason', (value as { reason: string }).reason] : [restName(name, value), value],
  ) as object;

/** An input as variables of a mutation. */
export const toGraphQl = (input: object): Record<string, unknown> =>
  mapped(input, (name, value) => [
    name,
    ofEnums.has(name) && typeof value === 'string' ? value.toUpperCase() : value,
  ]) as Record<string, unknown>;
