import { registerEnumType } from 'type-graphql';
import { capitalized } from '../fields/codes.ts';

/** The values of each enum, by its name, as GraphQL spells them. */
export const spelledValues = new Map<string, readonly string[]>();

/** The enums, by the values that they have. */
const byValues = new Map<readonly string[], object>();

/** Makes an enum of values with their descriptions. GraphQL spells them in capitals; internally they stay as they are. */
export function enumOf<T extends string>(
  name: string,
  description: string,
  values: Readonly<Record<T, string>>,
): Readonly<Record<string, T>> {
  const descriptions = Object.entries<string>(values);
  const spelled = Object.fromEntries(descriptions.map(([value]) => [capitalized(value), value as T]));
  const valuesConfig = Object.fromEntries(
    descriptions.map(([value, text]) => [capitalized(value), { description: text }]),
  );
  spelledValues.set(name, Object.keys(spelled));
  byValues.set(Object.keys(values), spelled);
  registerEnumType(spelled, { name, description, valuesConfig });
  return spelled;
}

/** Finds the enum that has exactly these values, or else the only one that has them among others. */
export function enumWith(values: readonly string[]): object {
  const all = [...byValues].filter(([known]) => values.every((value) => known.includes(value)));
  const exact = all.filter(([known]) => known.length === values.length);
  const [[, found] = [], other] = exact.length > 0 ? exact : all;
  if (!found || other)
    throw new Error(`${found ? 'More than one enum has' : 'No enum has'} the values ${values.join(', ')}.`);
  return found;
}
