import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { closed } from '../validation/schemas.ts';

/** `addressLine2` -> `address_line_2`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part.toLowerCase()}`);

export interface Dialect<S extends TObject> {
  /** The service's input as REST spells it. */
  readonly schema: TSchema;
  /** From what the schema let pass to the service's input. */
  readonly read: (sent: unknown) => Static<S>;
}

/**
 * REST's dialect of a service's input: keys in snake_case; a flag is true or false, or the text that the contract
 * prints for it. One direction is derived from the other, so the two cannot drift apart.
 */
export function restDialect<S extends TObject>(input: S, spell: (name: string) => string = snakeCase): Dialect<S> {
  const properties = Object.entries(input.properties);
  const names = new Map(properties.map(([name, property]) => [spell(name), { name, isFlag: isFlag(property) }]));
  const schema = Type.Object(
    Object.fromEntries(
      properties.map(([name, property]) => [spell(name), isFlag(property) ? restFlag(property) : property]),
    ),
    closed,
  );
  return {
    schema,
    read: (sent) => {
      const entries = Object.entries(sent as Record<string, unknown>).map(([key, value]) => {
        const { name = key, isFlag: flag = false } = names.get(key) ?? {};
        return [name, flag ? value === true || value === 'true' : value];
      });
      return Object.fromEntries(entries) as Static<S>;
    },
  };
}

const isFlag = (property: TSchema) => 'type' in property && property.type === 'boolean';

const restFlag = (property: TSchema) => {
  const { description } = property as { description?: string };
  return Type.Optional(
    Type.Unsafe<boolean | string>({ enum: [true, false, 'true', 'false'], ...(description && { description }) }),
  );
};
