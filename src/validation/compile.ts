import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import { invalid, notFound, type FieldErrors } from '../errors.ts';
import { formats } from './formats.ts';
import { keywords } from './keywords.ts';
import { messageFor } from './messages.ts';

const ajv = new Ajv({ allErrors: true, strict: false, strictNumbers: true, validateFormats: true, verbose: true });
addFormats.default(ajv, ['date-time']);
for (const [name, { check }] of Object.entries(formats)) ajv.addFormat(name, check);
for (const keyword of keywords) ajv.addKeyword(keyword);

/** The faults that a schema finds in an input. */
export interface Verdict {
  /** Messages by field. */
  readonly errors: FieldErrors;
  /** Fields that identify a row and are malformed, with the noun of the row. */
  readonly unknownRows: Readonly<Record<string, string>>;
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
  let compiled: ValidateFunction | undefined;
  return (input) => {
    const check = (compiled ??= ajv.compile(schema));
    // The objects have no prototype, because a field may be called `constructor`.
    const errors = Object.create(null) as FieldErrors;
    const unknownRows = Object.create(null) as Record<string, string>;
    collectUnstorable(input, '', errors);
    if (!check(input))
      for (const error of check.errors ?? []) {
        const noun = (error.parentSchema as { identifies?: string } | undefined)?.identifies;
        if (noun) {
          delete errors[fieldOf(error)];
          unknownRows[fieldOf(error)] = noun;
        } else addError(errors, error);
      }
    return { errors, unknownRows };
  };
}

/** Throws unless nothing is wrong. */
export function refuseFaulty({ errors, unknownRows }: Verdict): void {
  if (hasErrors(errors)) throw invalid(errors);
  for (const field in unknownRows) throw notFound(unknownRows[field] ?? 'row');
}

/** Whether there is an error of any field. */
export function hasErrors(errors: FieldErrors): boolean {
  for (const _field in errors) return true;
  return false;
}

function addError(errors: FieldErrors, error: ErrorObject): void {
  const texts = (errors[fieldOf(error)] ??= []);
  const message = messageFor(error);
  if (message && !texts.includes(message)) texts.push(message);
}

/** The path of the field that an error is about, with dots between its names. */
function fieldOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const path = error.instancePath.split('/').slice(1);
  const own = missingProperty ?? additionalProperty;
  return (own === undefined ? path : [...path, own]).join('.') || 'input';
}

/** No schema is deeper than this; input that is deeper is refused for its shape. */
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
