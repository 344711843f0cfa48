import { createRequire } from 'node:module';
import type * as CommonWords from '@zxcvbn-ts/language-common';

const require = createRequire(import.meta.url);
const readWords = () => require('@zxcvbn-ts/language-common') as typeof CommonWords;
let commonPasswords: Set<string> | undefined;

/**
 * Whether a password is among the most common ones, in upper or lower case. The list is read when it is asked for first,
 * which most processes never do: it takes 14 MB.
 */
export function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(readWords().dictionary['passwords-common']);
  return commonPasswords.has(password.toLowerCase());
}
