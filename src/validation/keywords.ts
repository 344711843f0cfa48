import type { KeywordDefinition } from 'ajv';
import { limits } from '../config/limits.ts';

/** Keywords of our own that schemas may use beside those of JSON Schema. */
export const keywords: readonly KeywordDefinition[] = [
  // Names the noun whose row the value identifies. It checks nothing: compile.ts reads it.
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
