import type { ErrorObject } from 'ajv';
import { limits } from '../config/limits.ts';
import { formats } from './formats.ts';

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
  minItems: ({ params }) => `must have at least ${params['limit']} items`,
  maxItems: ({ params }) => `must have at most ${params['limit']} items`,
  uniqueItems: () => 'must not have the same item twice',
  minBytes: ({ schema }) => `must have at least ${String(schema)} bytes`,
  maxBytes: ({ schema }) => `must have at most ${String(schema)} bytes`,
  instant: () => `must be an instant in the years ${limits.yearMin} to ${limits.yearMax}`,
  format: ({ schema, data }) => formatMessage(String(schema), String(data)),
};

export function messageFor(error: ErrorObject): string {
  return messages[error.keyword]?.(error) ?? error.message ?? 'is not valid';
}

const allowedValues = ({ allowedValues: values }: Record<string, unknown>) =>
  (values as (string | boolean | null)[]).filter((value) => value !== null);

function formatMessage(name: string, value: string): string {
  const message = formats[name]?.message ?? `must be a valid ${name}`;
  return typeof message === 'string' ? message : message(value);
}
