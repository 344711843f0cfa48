import { Failure, type FailureCode } from '../errors.ts';

/*
 * Serializes answers as JSON, and back. Beside JSON's own types they hold instants, and the failures in an answer about
 * several rows. Amounts of money are text already.
 */

/** Begins the key of an object that stands for an instant or a failure. A key of the answer that begins with it gets a second one. */
const mark = '$';

type Plain = Record<string, unknown>;

export function serializeAnswer(answer: unknown): string {
  return JSON.stringify(toJson(answer) ?? null);
}

export function deserializeAnswer(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(deserializeAnswer);
  if (typeof json !== 'object' || json === null) return json;
  const { $date: date, $failure: failure } = json as Plain;
  if (typeof date === 'string') return new Date(date);
  if (failure) return failureOf(deserializeAnswer(failure) as Failure);
  return mapped(json as Plain, (key) => (key.startsWith(mark) ? key.slice(1) : key), deserializeAnswer);
}

function toJson(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.toISOString() };
  if (value instanceof Failure) {
    const { code, message, errors, retryAfterS, details } = value;
    return { $failure: toJson({ code, message, errors, retryAfterS, details }) };
  }
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null)
    return mapped(value as Plain, (key) => (key.startsWith(mark) ? mark + key : key), toJson);
  return value;
}

const mapped = (object: Plain, rename: (key: string) => string, convert: (value: unknown) => unknown): Plain =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), convert(value)]));

const failureOf = ({ code, message, ...more }: { code: FailureCode; message: string }) =>
  new Failure(code, message, more);
