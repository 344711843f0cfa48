import Type, { type Static, type TSchema } from 'typebox';
import { limits } from '../config/limits.ts';

/*
 * Building blocks of input schemas. Both adapters check their input with these schemas: GraphQL as they are, REST with
 * their keys in snake_case.
 */

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

export const zone = (description = 'IANA time zone name in the region/city form.') =>
  Type.String({
    format: 'iana-zone',
    maxLength: limits.timezoneChars,
    description,
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

export const closed = { additionalProperties: false } as const;

/** Input of an operation that takes none. */
export const noInput = Type.Object({}, closed);
