import Type, { IsOptional, type Static, type TObject, type TSchema } from 'typebox';
import { invalid, type FieldErrors } from '../errors.ts';
import { parseInstant } from '../time/instants.ts';
import { closed, nullable } from '../validation/schemas.ts';

/** `addressLine2` -> `address_line_2`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part.toLowerCase()}`);
}

export interface Dialect<S extends TObject> {
  /** The operation's input as REST spells it, for the OpenAPI document. */
  readonly schema: TObject;
  /** Renames the fields sent for the operation, which alone checks the values. */
  readonly read: (sent: unknown) => Static<S>;
}

/** Stands before a key that REST does not know. No input has a field of such a name, so the operation refuses it. */
const unknownKey = 'unknown key: ';

/**
 * REST's dialect of an operation's input: keys in snake_case; a flag is true or false, or the text that the contract
 * prints for it; an instant is ISO 8601 text. Both directions are derived from the input, so they cannot drift apart.
 */
export function restDialect<S extends TObject>(input: S, spell: (name: string) => string = snakeCase): Dialect<S> {
  const properties = Object.entries(input.properties);
  const names = new Map(properties.map(([name, property]) => [spell(name), { name, read: readerOf(property) }]));
  const schema = Type.Object(
    Object.fromEntries(properties.map(([name, property]) => [spell(name), restSchemaOf(property)])),
    closed,
  );
  return {
    schema,
    read: (sent) => {
      if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
        throw invalid({ input: ['must be of type object'] });
      const entries = Object.entries(sent).map(([key, value]: [string, unknown]) => {
        const known = names.get(key);
        if (!known) return [unknownKey + key, value];
        return [known.name, known.read(value)];
      });
      return Object.fromEntries(entries) as Static<S>;
    },
  };
}

/**
 * Renames the fields of an operation's errors as the caller sent them. `elsewhere` has the names of fields that stand at
 * another path in the operation's input.
 */
export function spellErrors(errors: FieldErrors, elsewhere: Readonly<Record<string, string>> = {}): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([field, texts]) => [spellField(field, elsewhere), texts]));
}

function spellField(field: string, elsewhere: Readonly<Record<string, string>>): string {
  if (field.startsWith(unknownKey)) return field.slice(unknownKey.length) || 'input';
  for (const [path, name] of Object.entries(elsewhere))
    if (field === path || field.startsWith(`${path}.`)) return name + field.slice(path.length);
  // REST's input is flat: what follows the first name are keys within a value of the wrong type, as they were sent.
  const [name = '', ...keys] = field.split('.');
  return [snakeCase(name), ...keys].join('.');
}

const isFlag = (property: TSchema) => 'type' in property && property.type === 'boolean';

const restFlag = (property: TSchema) => {
  const { description } = property as { description?: string };
  return Type.Optional(
    Type.Unsafe<boolean | string>({ enum: [true, false, 'true', 'false'], ...(description && { description }) }),
  );
};

const isInstant = (property: TSchema) => 'instant' in property;

function restInstant(property: TSchema): TSchema {
  const { instant, description } = property as { instant?: true | 'orNull'; description?: string };
  const text = Type.String({
    format: 'date-time',
    description: `${description} ISO 8601, with \`Z\` or an offset.`,
    examples: ['2030-12-31T23:59:59Z'],
  });
  const schema = instant === 'orNull' ? nullable(text) : text;
  return IsOptional(property) ? Type.Optional(schema) : schema;
}

function restSchemaOf(property: TSchema): TSchema {
  if (isFlag(property)) return restFlag(property);
  return isInstant(property) ? restInstant(property) : property;
}

const asSent = (value: unknown) => value;

function readerOf(property: TSchema): (value: unknown) => unknown {
  if (isFlag(property)) return readFlag;
  return isInstant(property) ? readInstant : asSent;
}

/** A text that is no instant stays as it is, so that the operation refuses it. */
const readInstant = (value: unknown): unknown => (typeof value === 'string' ? (parseInstant(value) ?? value) : value);

/** Anything but a flag stays as it is, so that the operation refuses it. */
function readFlag(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}
