import { createRequire } from 'node:module';
import type * as Words from '@zxcvbn-ts/language-common';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import Type, { type Static, type TSchema } from 'typebox';
import { limits } from './config.ts';
import { invalid, notFound, type FieldErrors } from './errors.ts';
import { isWallTime } from './time/wall-clock.ts';
import { isZone, zoneSpelling } from './time/zones.ts';

/** Both dialects are checked by these schemas: GraphQL as they are, REST with their keys in snake_case. */

export const text = (maxChars: number, options: { description?: string; examples?: string[] } = {}) =>
  Type.String({ maxLength: maxChars, ...options });

/** Text that must show something: not only white space, in the widest sense that a PostgreSQL locale gives it. */
export const visibleText = (maxChars: number, options: { description?: string; examples?: string[] } = {}) =>
  Type.String({ minLength: 1, maxLength: maxChars, pattern: '[^\\s\\u001c-\\u001f\\u0085\\u180e]', ...options });

export const wallTime = (description: string) =>
  Type.String({ format: 'wall-time', description, examples: ['2026-12-31 18:30:00'] });

/** An instant, as GraphQL's DateTimeISO gives it, in the years that a wall-clock time may lie in. */
export const instant = (description: string) => Type.Unsafe<Date>({ instant: true, description });

export const localDate = (description: string) => Type.String({ format: 'local-date', description });

export const zone = () =>
  Type.String({
    format: 'iana-zone',
    maxLength: limits.timezoneChars,
    description: 'IANA time zone name in the region/city form.',
    examples: ['America/New_York'],
  });

export const int4 = (minimum: number, maximum: number = limits.int4Max, description?: string) =>
  Type.Integer({ minimum, maximum, ...(description && { description }) });

export const oneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description && { description }) });

/** Decimal degrees as text, given back exactly as sent. */
export const degrees = (bound: 90 | 180, description: string) =>
  Type.String({ format: `degrees-${bound}`, maxLength: limits.coordinateChars, description });

/** An amount of money in USD as exact decimal text: `25`, `25.5` and `25.50` are the same. */
export const money = (description: string) => Type.String({ format: 'money', description, examples: ['25.50'] });

export const email = (options: { examples?: string[] } = {}) =>
  Type.String({
    format: 'email-ascii',
    maxLength: limits.emailChars,
    description: 'E-mail address (ASCII).',
    ...options,
  });

/** A password as received, normalised in no way. */
export const password = () =>
  Type.String({
    minLength: 1,
    maxBytes: limits.passwordMaxBytes,
    description: 'Password.',
    examples: ['callboard-demo'],
  });

/** A password to be set: bounded, and not among the most common ones. */
export const newPassword = () =>
  Type.String({
    minBytes: limits.passwordMinBytes,
    maxBytes: limits.passwordMaxBytes,
    uncommon: true,
    description: `${limits.passwordMinBytes} to ${limits.passwordMaxBytes} bytes, not among the most common passwords.`,
  });

/** Null unsets. */
export const nullable = <S extends TSchema>(schema: S) => {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) });
};

/** What a caller names a row by. Text that cannot name one is answered as an unknown one: not found. */
export const uuidOf = (noun: string) =>
  Type.String({ format: 'uuid', identifies: noun, description: `UUID of the ${noun}.` });

export const idOf = (noun: string) =>
  Type.Integer({ minimum: 1, maximum: limits.int4Max, identifies: noun, description: `Id of the ${noun}.` });

/** Page numbers from 1; both are refused, never clamped, when out of range. */
export const paging = () => ({
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.int4Max, default: limits.pageDefault, description: 'Page number.' }),
  ),
  perPage: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.perPageMax,
      default: limits.perPageDefault,
      description: 'Items per page.',
    }),
  ),
});

export const closed = { additionalProperties: false } as const;

const ajv = new Ajv({ allErrors: true, strict: false, strictNumbers: true, validateFormats: true, verbose: true });
addFormats.default(ajv, ['date-time']);
// Without `urn:uuid:`, which ajv-formats allows and PostgreSQL cannot read.
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
ajv.addFormat('wall-time', isWallTime);
ajv.addFormat('local-date', (value: string) => isWallTime(`${value} 00:00:00`));
ajv.addFormat('iana-zone', isZone);
ajv.addFormat('degrees-90', isDegreesWithin(90));
ajv.addFormat('degrees-180', isDegreesWithin(180));
ajv.addFormat('money', /^\d{1,10}(\.\d{1,2})?$/);
ajv.addFormat(
  'email-ascii',
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i,
);

ajv.addKeyword({
  keyword: 'minBytes',
  type: 'string',
  validate: (min: number, value: string) => Buffer.byteLength(value) >= min,
});
ajv.addKeyword({
  keyword: 'maxBytes',
  type: 'string',
  validate: (max: number, value: string) => Buffer.byteLength(value) <= max,
});
ajv.addKeyword({
  keyword: 'instant',
  validate: (_: boolean, value: unknown) =>
    value instanceof Date && value.getUTCFullYear() >= limits.yearMin && value.getUTCFullYear() <= limits.yearMax,
});
ajv.addFormat('single-line', isSingleLine);
ajv.addFormat('no-control-characters', /^\P{Cc}*$/u);
const require = createRequire(import.meta.url);
const readWords = () => require('@zxcvbn-ts/language-common') as typeof Words;
let commonPasswords: Set<string> | undefined;

/** Read when a password is set, which most processes never do: it takes 14 MB. */
function isCommon(chosen: string): boolean {
  commonPasswords ??= new Set(readWords().dictionary['passwords-common']);
  return commonPasswords.has(chosen.toLowerCase());
}
ajv.addKeyword({
  keyword: 'uncommon',
  type: 'string',
  validate: (_: boolean, value: string) => !isCommon(value),
});

/** Without any of the line breaks of Unicode. */
export function isSingleLine(value: string): boolean {
  return !/[\n\v\f\r\u0085\u2028\u2029]/.test(value);
}

function isDegreesWithin(bound: number) {
  return (value: string) =>
    value === '' || (/^-?\d{1,3}(\.\d{1,15})?$/.test(value) && Math.abs(Number(value)) <= bound);
}

/**
 * A check of unknown input against a schema. It returns the input as it was, or throws: NOT_FOUND where what is wrong is
 * the name of a row, else VALIDATION_FAILED with every field's errors. Nothing is coerced, dropped or filled in.
 */
export function compile<S extends TSchema>(schema: S): (input: unknown) => Static<S> {
  // Compiled for the first input: a start would wait for some hundred of them.
  let compiled: ValidateFunction | undefined;
  return (input) => {
    const check = (compiled ??= ajv.compile(schema));
    // No prototype: a field may be called `constructor`.
    const errors: FieldErrors = Object.create(null) as FieldErrors;
    collectUnstorable(input, '', errors);
    if (!check(input)) for (const error of check.errors ?? []) addError(errors, error);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return input as Static<S>;
  };
}

function addError(errors: FieldErrors, error: ErrorObject): void {
  const identifies = (error.parentSchema as { identifies?: string } | undefined)?.identifies;
  if (identifies) throw notFound(identifies);
  const texts = (errors[fieldOf(error)] ??= []);
  const message = messageOf(error);
  if (message && !texts.includes(message)) texts.push(message);
}

function fieldOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const path = error.instancePath.split('/').slice(1);
  const own = missingProperty ?? additionalProperty;
  return (own === undefined ? path : [...path, own]).join('.') || 'input';
}

function messageOf({ keyword, params, data, schema, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a field that can be set';
    case 'type':
      return `must be of type ${[schema].flat().join(' or ')}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as (string | boolean | null)[]).filter((value) => value !== null).join(', ')}`;
    case 'maxLength':
      return `must have at most ${params['limit']} characters`;
    case 'minLength':
    case 'pattern':
      return 'must not be blank';
    case 'minimum':
      return `must be at least ${params['limit']}`;
    case 'maximum':
      return `must be at most ${params['limit']}`;
    case 'minItems':
      return `must have at least ${params['limit']} items`;
    case 'maxItems':
      return `must have at most ${params['limit']} items`;
    case 'uniqueItems':
      return 'must not have the same item twice';
    case 'minBytes':
      return `must have at least ${String(schema)} bytes`;
    case 'maxBytes':
      return `must have at most ${String(schema)} bytes`;
    case 'instant':
      return `must be an instant in the years ${limits.yearMin} to ${limits.yearMax}`;
    case 'uncommon':
      return 'is among the most common passwords';
    case 'format':
      return formatMessage(String(schema), String(data));
    default:
      return message ?? 'is not valid';
  }
}

function formatMessage(format: string, value: string): string {
  switch (format) {
    case 'wall-time':
      return `must be a date and time that exists, as YYYY-MM-DD HH:MM:SS, in the years ${limits.yearMin} to ${limits.yearMax}`;
    case 'local-date':
      return `must be a date that exists, as YYYY-MM-DD, in the years ${limits.yearMin} to ${limits.yearMax}`;
    case 'iana-zone': {
      const spelling = value.length <= limits.timezoneChars ? zoneSpelling(value) : null;
      return `must be an IANA time zone such as America/New_York${spelling ? `: did you mean ${spelling}?` : ''}`;
    }
    case 'email-ascii':
      return 'must be an e-mail address';
    case 'single-line':
      return 'must be a single line';
    case 'no-control-characters':
      return 'must have no control characters';
    case 'money':
      return 'must be an amount as text with at most 10 digits and 2 decimals, such as 25.50';
    case 'degrees-90':
      return 'must be decimal degrees from -90 to 90, as text';
    case 'degrees-180':
      return 'must be decimal degrees from -180 to 180, as text';
    default:
      return `must be a valid ${format}`;
  }
}

/** No schema is as deep: what lies deeper is refused for its shape. */
const deepestInput = 10;

/** The one rule for all strings: PostgreSQL stores no NUL, and half of a surrogate pair is not Unicode. */
function collectUnstorable(input: unknown, path: string, errors: FieldErrors, depth = 0): void {
  if (typeof input === 'string') {
    if (input.includes('\0') || !input.isWellFormed())
      (errors[path || 'input'] ??= []).push('must be well-formed Unicode without NUL');
  } else if (Object.is(input, -0)) {
    (errors[path || 'input'] ??= []).push('must not be negative zero');
  } else if (typeof input === 'object' && input !== null && depth < deepestInput) {
    for (const [key, value] of Object.entries(input))
      collectUnstorable(value, path ? `${path}.${key}` : key, errors, depth + 1);
  }
}
