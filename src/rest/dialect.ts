import Type, { IsOptional, type Static, type TObject, type TSchema } from 'typebox';
import { invalid, type FieldErrors } from '../errors.ts';
import { parseInstant, spellUtc } from '../time/instants.ts';
import { pickKeys } from '../validation/compile.ts';
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
  const spelled = [...names.keys()];
  const { description } = input as { description?: string };
  const schema = Type.Object(
    Object.fromEntries(properties.map(([name, property]) => [spell(name), restSchemaOf(property)])),
    { ...(description && { description }), ...closed },
  );
  return {
    schema,
    read: (sent) => {
      if (!isObject(sent))
        throw invalid({
          input: [sent === undefined ? 'is missing: send a JSON object as the body' : 'must be of type object'],
        });
      const few = pickKeys(sent as Record<string, unknown>, spelled);
      const entries = Object.entries(few).map(([key, value]) => {
        const known = names.get(key);
        if (!known) return [unknownKey + key, value];
        return [known.name, known.read(value)];
      });
      return Object.fromEntries(entries) as Static<S>;
    },
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Renames the fields of an operation's errors as the caller sent them. `elsewhere` has the names of fields that stand at
 * another path in the operation's input; an empty name leaves out a level that REST does not have. `input` is the schema of
 * what was sent, which tells the names of fields within fields.
 */
export function spellErrors(
  errors: FieldErrors,
  elsewhere: Readonly<Record<string, string>> = {},
  input?: TSchema,
): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [spellField(field, elsewhere, input), texts.map(spellText)]),
  );
}

/** Spells the names of fields in a message. Values stay as they are. */
const spellText = (text: string): string =>
  text.startsWith('must be one of') ? text : text.replaceAll(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, snakeCase);

function spellField(field: string, elsewhere: Readonly<Record<string, string>>, input?: TSchema): string {
  const unknown = field.indexOf(unknownKey);
  if (unknown >= 0) {
    const within = unknown === 0 ? '' : `${spellField(field.slice(0, unknown - 1), elsewhere, input)}.`;
    return within + field.slice(unknown + unknownKey.length) || 'input';
  }
  for (const [path, name] of Object.entries(elsewhere)) {
    if (field !== path && !field.startsWith(`${path}.`)) continue;
    if (name !== '') return name + field.slice(path.length);
    return field === path ? 'input' : spellField(field.slice(path.length + 1), {}, input);
  }
  const [name = '', ...keys] = field.split('.');
  return [snakeCase(name), ...spellKeys(keys, propertyOf(input, name))].join('.');
}

/** Spells the keys within a field. Keys within a value of the wrong type stay as they were sent. */
function spellKeys([key, ...rest]: readonly string[], schema: TSchema | undefined): string[] {
  if (key === undefined) return [];
  const { items } = (schema ?? {}) as { items?: TSchema };
  if (items && /^\d+$/.test(key)) return [key, ...spellKeys(rest, items)];
  const property = propertyOf(schema, key);
  return property ? [snakeCase(key), ...spellKeys(rest, property)] : [key, ...rest];
}

function propertyOf(schema: TSchema | undefined, name: string): TSchema | undefined {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, TSchema> };
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

const isFlag = (property: TSchema) => 'type' in property && property.type === 'boolean';

/** Two branches instead of one list of values: generators of clients make types of both, and none of a mixed list. */
const restFlag = (property: TSchema) => {
  const { description } = property as { description?: string };
  return Type.Optional(
    Type.Unsafe<boolean | string>({
      anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }],
      ...(description && { description }),
    }),
  );
};

interface InstantSchema {
  readonly instant?: true | 'orNull';
  readonly description?: string;
  readonly 'x-utc'?: true;
}

const isInstant = (property: TSchema) => 'instant' in property;

function restInstant(property: TSchema): TSchema {
  const { instant, description, 'x-utc': isUtc } = property as InstantSchema;
  const text = Type.String({
    format: 'date-time',
    ...(isUtc && { 'x-utc': true }),
    description: `${description} ISO 8601, with \`Z\` or an offset${isUtc ? '; or in UTC as `Y-m-d H:i:s`, as times of rows are shown' : ''}.`,
    examples: ['2030-12-31T23:59:59Z'],
  });
  const schema = instant === 'orNull' ? nullable(text) : text;
  return IsOptional(property) ? Type.Optional(schema) : schema;
}

/** An object within the input, or a list of such objects: their keys are spelled like those of the input itself. */
function innerOf(property: TSchema): { readonly object: TObject; readonly isList: boolean } | undefined {
  const { type, properties, items } = property as { type?: unknown; properties?: object; items?: TSchema };
  if (type === 'object' && properties) return { object: property as TObject, isList: false };
  return type === 'array' && items && 'properties' in items ? { object: items as TObject, isList: true } : undefined;
}

function restSchemaOf(property: TSchema): TSchema {
  if (isFlag(property)) return restFlag(property);
  if (isInstant(property)) return restInstant(property);
  const inner = innerOf(property);
  if (!inner) return property;
  const { schema } = restDialect(inner.object);
  const spelled = inner.isList ? { ...property, items: schema } : schema;
  return IsOptional(property) ? Type.Optional(spelled) : spelled;
}

const asSent = (value: unknown) => value;

function readerOf(property: TSchema): (value: unknown) => unknown {
  if (isFlag(property)) return readFlag;
  if (isInstant(property)) return 'x-utc' in property ? readUtcInstant : readInstant;
  const inner = innerOf(property);
  if (!inner) return asSent;
  const { read } = restDialect(inner.object);
  const readObject = (value: unknown) => (isObject(value) ? read(value) : value);
  return inner.isList ? (value) => (Array.isArray(value) ? value.map(readObject) : value) : readObject;
}

/** A text that is no instant stays as it is, so that the operation refuses it. */
const readInstant = (value: unknown): unknown => (typeof value === 'string' ? (parseInstant(value) ?? value) : value);

const readUtcInstant = (value: unknown): unknown => readInstant(typeof value === 'string' ? spellUtc(value) : value);

/** Anything but a flag stays as it is, so that the operation refuses it. */
function readFlag(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}
