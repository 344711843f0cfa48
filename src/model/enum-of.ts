import { registerEnumType } from 'type-graphql';
import { capitalized } from '../fields/codes.ts';

/** The values of each enum, by its name, as GraphQL spells them. */
export const spelledValues = new Map<string, readonly string[]>();

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
  registerEnumType(spelled, { name, description, valuesConfig });
  return spelled;
}
