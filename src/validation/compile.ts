import { Ajv, type ErrorObject, type KeywordDefinition, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import { limits } from '../config/limits.ts';
import { type FieldErrors, invalid, notFound } from '../errors.ts';
import { formats } from './formats.ts';

/** Keywords of our own that schemas may use beside those of JSON Schema. */
export const keywords: readonly KeywordDefinition[] = [
  // Names the noun whose row the value identifies. It checks nothing, and is read below.
  { keyword: 'identifies', schemaType: 'string' },
  {
    keyword: 'minBytes',
    type: 'string',
    validate: (min: number, value: string) => Buffer.byteLength(value) >= min,
  },
  {
    keyword: 'maxBytes',
    type: 'string',
    validate: (max: number, value: string) => Buffer.byteLength(value) <= max,
  },
  {
    keyword: 'instant',
    validate: (kind: true | 'orNull', value: unknown) =>
      (kind === 'orNull' && value === null) ||
      (value instanceof Date && value.getUTCFullYear() >= limits.yearMin && value.getUTCFullYear() <= limits.yearMax),
  },
];

/** Stops at the first fault. It tells right inputs from wrong ones. */
const quick = createAjv({});
/** Finds all faults of a part of an input, which has few. */
const thorough = createAjv({ allErrors: true, verbose: true });

function createAjv(options: object): Ajv {
  const ajv = new Ajv({ strict: false, strictNumbers: true, validateFormats: true, ...options });
  addFormats.default(ajv, ['date-time']);
  for (const [name, { check }] of Object.entries(formats)) ajv.addFormat(name, check);
  for (const keyword of keywords) ajv.addKeyword(keyword);
  return ajv;
}

/** The faults that a schema finds in an input. */
export interface Verdict {
  /** Messages by field. */
  readonly errors: FieldErrors;
  /** Fields that identify a row and are malformed, with the noun of the row. */
  readonly unknownRows: Readonly<Record<string, string>>;
  /** False if there are more faulty fields than an error names. The search has ended there, so others may be faulty too. */
  readonly isComplete: boolean;
}

/**
 * Makes a check of unknown input against a schema. The check returns the input unchanged, or throws VALIDATION_FAILED with
 * the errors of every field. If the only wrong values are ones that identify a row, it throws NOT_FOUND: a malformed id is
 * answered as an unknown one, which is looked up only once all else is right. Nothing is coerced, dropped or filled in.
 */
export function compile<S extends TSchema>(schema: S): (input: unknown) => Static<S> {
  const judge = compileJudge(schema);
  return (input) => {
    refuseFaulty(judge(input));
    return input as Static<S>;
  };
}

/** Makes a function that says what is wrong with an input, without throwing. */
export function compileJudge(schema: TSchema): (input: unknown) => Verdict {
  // Compiled for the first input: src/guide/performance.md#compiled-on-first-use
  let check: ValidateFunction | undefined;
  let search: Search | undefined;
  return (input) => {
    const found = new Faults();
    collectUnstorable(input, '', found);
    if ((check ??= quick.compile(schema))(input)) return found;
    (search ??= createSearch(schema))(input, '', found);
    // A wrong input must not pass, also where a keyword of its schema is one that the search does not know.
    if (!hasErrors({ ...found.errors, ...found.unknownRows } as FieldErrors)) found.add('input', 'is not valid');
    return found;
  };
}

/** Faults as they are found, up to one field more than an error names. */
class Faults implements Verdict {
  // The objects have no prototype, because a field may be called `constructor`.
  readonly errors = Object.create(null) as FieldErrors;
  readonly unknownRows = Object.create(null) as Record<string, string>;
  /** How many fields have errors. */
  named = 0;

  get isComplete(): boolean {
    return this.named <= limits.errorFieldsMax;
  }

  add(field: string, message: string): void {
    if (!(field in this.errors)) this.named += 1;
    const texts = (this.errors[field] ??= []);
    if (message && !texts.includes(message)) texts.push(message);
  }

  /** Adds the faults that the last call of a function has found in the value at a path. */
  addFrom({ errors }: ValidateFunction, path: string): void {
    for (const error of errors ?? []) {
      if (!this.isComplete) return;
      const field = fieldOf(error, path);
      const noun = (error.parentSchema as { identifies?: string } | undefined)?.identifies;
      // In a list it is a fault of the input: another item may be right.
      if (noun && !field.includes('.')) {
        if (field in this.errors) this.named -= 1;
        delete this.errors[field];
        this.unknownRows[field] = noun;
      } else this.add(field, messageFor(error));
    }
  }
}

/** Searches the value at a path for faults, until there are enough. */
type Search = (value: unknown, path: string, found: Faults) => void;

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly maxItems?: number;
}

const isParted = (schema: TSchema): boolean => Boolean((schema as Shape).properties ?? (schema as Shape).items);

/** Objects and lists are searched part by part, because what a caller sends may have a fault at every key and item. */
function createSearch(schema: TSchema): Search {
  const { properties, items, maxItems = Infinity } = schema as Shape;
  if (properties) return searchObject(schema, properties);
  const whole = thorough.compile(schema);
  if (!items)
    return (value, path, found) => {
      if (!whole(value)) found.addFrom(whole, path);
    };
  const length = thorough.compile({ ...schema, items: {}, uniqueItems: false });
  const searchItem = createSearch(items);
  return (sent, path, found) => {
    const value: unknown = Array.isArray(sent) ? sent.slice(0, maxItems + 1) : sent;
    if (!length(value)) found.addFrom(length, path);
    const few = Array.isArray(value) ? value.slice(0, maxItems) : [];
    const { named } = found;
    for (let at = 0; at < few.length && found.isComplete; at++) searchItem(few[at], join(path, String(at)), found);
    // Where no item is wrong, only the rules of the list itself are left, with one fault each.
    if (named === found.named && !whole(value)) found.addFrom(whole, path);
  };
}

function searchObject(schema: TSchema, properties: Readonly<Record<string, TSchema>>): Search {
  const known = Object.keys(properties);
  const parted = Object.entries(properties).filter(([, property]) => isParted(property));
  const searches = parted.map(([name, property]) => [name, createSearch(property)] as const);
  const anyPart = Object.fromEntries(parted.map(([name]) => [name, {}]));
  const shell = thorough.compile({ ...schema, properties: { ...properties, ...anyPart } });
  return (value, path, found) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const sent = isObject ? pickKeys(value as Record<string, unknown>, known) : {};
    if (!shell(isObject ? sent : value)) found.addFrom(shell, path);
    for (const [name, search] of searches)
      if (found.isComplete && Object.hasOwn(sent, name)) search(sent[name], join(path, name), found);
  };
}

/** The known keys of an object, and as many unknown ones as make an error complete. */
export function pickKeys(sent: Readonly<Record<string, unknown>>, known: readonly string[]): Record<string, unknown> {
  const picked = Object.create(null) as Record<string, unknown>;
  for (const name of known) if (Object.hasOwn(sent, name)) picked[name] = sent[name];
  let unknown = 0;
  for (const name in sent) {
    if (name in picked) continue;
    picked[name] = sent[name];
    if (++unknown > limits.errorFieldsMax) break;
  }
  return picked;
}

/** Throws unless nothing is wrong. */
export function refuseFaulty({ errors, unknownRows }: Verdict): void {
  if (hasErrors(errors)) throw invalid(errors);
  for (const field in unknownRows) throw notFound(unknownRows[field] ?? 'row');
}

export function hasErrors(errors: FieldErrors): boolean {
  for (const _field in errors) return true;
  return false;
}

const join = (path: string, name: string): string => (path ? `${path}.${name}` : name);

/** The path of the field that an error is about, with dots between its names. `path` is that of the value which was checked. */
function fieldOf(error: ErrorObject, path: string): string {
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const own = missingProperty ?? additionalProperty;
  const names = [...(path ? [path] : []), ...error.instancePath.split('/').slice(1)];
  return (own === undefined ? names : [...names, own]).join('.') || 'input';
}

/** No schema is deeper than this; input that is deeper is refused for its shape. */
const deepestInput = 10;

/** The one rule for all strings: PostgreSQL stores no NUL, and half of a surrogate pair is not Unicode. */
function collectUnstorable(input: unknown, path: string, found: Faults, depth = 0): void {
  if (typeof input === 'string') {
    if (input.includes('\0') || !input.isWellFormed())
      found.add(path || 'input', 'must be well-formed Unicode without NUL');
  } else if (Object.is(input, -0)) {
    found.add(path || 'input', 'must not be negative zero');
  } else if (typeof input === 'object' && input !== null && depth < deepestInput) {
    for (const key in input) {
      if (!found.isComplete) return;
      collectUnstorable((input as Record<string, unknown>)[key], join(path, key), found, depth + 1);
    }
  }
}

/** Messages for values that fail a keyword. Each one completes a sentence whose subject is the field. */
const messages: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  type: ({ schema }) =>
    schema === 'boolean' ? 'must be true or false' : `must be of type ${[schema].flat().join(' or ')}`,
  enum: ({ params }) => `must be one of ${allowedValues(params).join(', ')}`,
  maxLength: ({ params }) => `must have at most ${params['limit']} characters`,
  minLength: () => 'must not be blank',
  pattern: () => 'must not be blank',
  minimum: ({ params }) => `must be at least ${params['limit']}`,
  maximum: ({ params }) => `must be at most ${params['limit']}`,
  // Its branches have messages of their own.
  anyOf: () => '',
  minItems: ({ params }) => `must have at least ${countItems(params)}`,
  maxItems: ({ params }) => `must have at most ${countItems(params)}`,
  uniqueItems: () => 'must not have the same item twice',
  minBytes: ({ schema }) => `must have at least ${String(schema)} bytes`,
  maxBytes: ({ schema }) => `must have at most ${String(schema)} bytes`,
  instant: () => `must be an instant with an offset, in the years ${limits.yearMin} to ${limits.yearMax}`,
  format: ({ schema, data }) => formatMessage(String(schema), String(data)),
};

const countItems = ({ limit }: Record<string, unknown>) => `${limit} ${limit === 1 ? 'item' : 'items'}`;

function messageFor(error: ErrorObject): string {
  return messages[error.keyword]?.(error) ?? error.message ?? 'is not valid';
}

const allowedValues = ({ allowedValues: values }: Record<string, unknown>) =>
  (values as (string | boolean | null)[]).filter((value) => value !== null);

function formatMessage(name: string, value: string): string {
  const message = formats[name]?.message ?? `must be a valid ${name}`;
  return typeof message === 'string' ? message : message(value);
}
