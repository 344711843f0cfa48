import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { limits, newPasswordText } from '../config/limits.ts';
import { visiblePattern } from './person-texts.ts';

/*
 * Building blocks of input schemas. Both adapters check their input with these schemas: GraphQL as they are, REST with
 * their keys in snake_case.
 */

export const text = (maxChars: number, options: { description?: string; examples?: string[] } = {}) =>
  Type.String({ maxLength: maxChars, ...options });

/** Text with at least one visible character. */
export const visibleText = (maxChars: number, options: { description?: string; examples?: string[] } = {}) =>
  Type.String({ minLength: 1, maxLength: maxChars, pattern: visiblePattern, ...options });

export const wallTime = (description: string) =>
  Type.String({ format: 'wall-time', description, examples: ['2026-12-31 18:30:00'] });

/** An instant from GraphQL's DateTimeISO or from text in REST, within the years of wall-clock times. */
export const instant = (description: string) => Type.Unsafe<Date>({ instant: true, description });

/** An instant that is compared with what REST prints in UTC as `Y-m-d H:i:s`. There it is taken in that form, too. */
export const utcInstant = (description: string) => Type.Unsafe<Date>({ instant: true, 'x-utc': true, description });

/** The same, or null for none. */
export const utcInstantOrNull = (description: string) =>
  Type.Unsafe<Date | null>({ instant: 'orNull', 'x-utc': true, description });

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

/** The id of a row that is a number. */
export const rowNumber = (description: string) => int4(1, limits.int4Max, description);

export const oneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description && { description }) });

/** Decimal degrees as text, returned exactly as they were sent. */
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

/** An e-mail address that a person types: blanks around it are passed over. */
export const typedEmail = () =>
  Type.String({ ...email({ examples: ['admin@aurora.example'] }), format: 'email-log-in' });

/** A phone number. Null and the empty text unset it. */
export const phone = () =>
  nullable(
    Type.String({
      format: 'phone',
      maxLength: limits.phoneChars,
      description: 'Phone number: digits, spaces and `+ - ( ) .`, with an extension such as `x12` or `ext. 12`.',
      examples: ['+1 212 555-0142'],
    }),
  );

/** A password as it was received. It is hashed in its composed form. */
export const password = () =>
  Type.String({
    minLength: 1,
    maxBytes: limits.passwordMaxBytes,
    description: 'Password.',
    examples: ['callboard-demo'],
  });

/** A new password. Whether common ones are refused is a setting, which the operation knows. */
export const newPassword = () =>
  Type.String({
    minBytes: limits.passwordMinBytes,
    maxBytes: limits.passwordMaxBytes,
    description: `${newPasswordText}.`,
  });

/** Makes a schema nullable. Null unsets the value. */
export const nullable = <S extends TSchema>(schema: S) => {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) });
};

/** The uuid that identifies a row. A text that is no uuid gets the same answer as an unknown one: not found. */
export const uuidOf = (noun: string, description = `UUID of the ${noun}.`) =>
  Type.String({ format: 'uuid', identifies: noun, description });

export const idOf = (noun: string) =>
  Type.Integer({ minimum: 1, maximum: limits.int4Max, identifies: noun, description: `Id of the ${noun}.` });

export const closed = { additionalProperties: false } as const;

/** An object that has no fields but these. */
export const closedObject = <Fields extends TProperties>(fields: Fields) => Type.Object(fields, closed);

/** The same, where each field may be left out. */
export const optionalFields = <Fields extends TProperties>(fields: Fields) => Type.Partial(Type.Object(fields), closed);

/** The inputs of a batch, which are judged one by one. */
export const manyInputs = closedObject({
  inputs: Type.Array(Type.Unknown(), { maxItems: limits.namedItemsMax }),
});

/** Schema of an operation without input. */
export const noInput = closedObject({});
