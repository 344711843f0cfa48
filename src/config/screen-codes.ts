import { limits } from './limits.ts';

/** Letters and digits of the codes that screens show: Crockford's base 32, without I, L, O and U. */
export const screenCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const shape = new RegExp(`^[${screenCodeAlphabet}]{${limits.screenCodeChars}}$`);

/** A code as it is compared: people may type it in lower case, with other separators, and an O or an L for a digit. Null if it is none. */
export function readScreenCode(text: string): string | null {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return shape.test(code) ? code : null;
}

/** A code as it is shown, in two groups. */
export function formatScreenCode(code: string): string {
  const middle = limits.screenCodeChars / 2;
  return `${code.slice(0, middle)}-${code.slice(middle)}`;
}
