/** Letters and digits of the codes that screens show: Crockford's base 32, without I, L, O and U. */
export const screenCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Letters and digits of a code: five bits each. */
export const screenCodeChars = 8;

const shape = new RegExp(`^[${screenCodeAlphabet}]{${screenCodeChars}}$`);

/** A code as it is compared: people may type it in lower case, with other separators, and an O or an L for a digit. Null if it is none. */
export function readScreenCode(text: string): string | null {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return shape.test(code) ? code : null;
}

/** A code as it is shown, in two groups. */
export function formatScreenCode(code: string): string {
  const middle = screenCodeChars / 2;
  return `${code.slice(0, middle)}-${code.slice(middle)}`;
}
