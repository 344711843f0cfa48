import { createRequire } from 'node:module';
import type * as CommonWords from '@zxcvbn-ts/language-common';
import type { KeywordDefinition } from 'ajv';
import { limits } from '../config/limits.ts';

/** Keywords of our own that schemas may use beside those of JSON Schema. */
export const keywords: readonly KeywordDefinition[] = [
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
  { keyword: 'uncommon', type: 'string', validate: (_: boolean, value: string) => !isCommonPassword(value) },
];

const require = createRequire(import.meta.url);
const readWords = () => require('@zxcvbn-ts/language-common') as typeof CommonWords;
let commonPasswords: Set<string> | undefined;

/** The list is read when a password is set, which most processes never do: it takes 14 MB. */
function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(readWords().dictionary['passwords-common']);
  return commonPasswords.has(password.toLowerCase());
}
