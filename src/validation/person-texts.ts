import { limits } from '../config/limits.ts';
import { plainPhone } from './text-forms.ts';

/* The rules of the texts of a person. The console judges the rows of a file by them before it sends any. */

const emailAddress =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

/** White space, in the widest sense that a PostgreSQL locale gives it, and characters without a shape. */
const invisible = String.raw`\s\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`;

/** Of a text with at least one visible character. */
export const visiblePattern = `[^${invisible}]`;

export const isEmailAddress = (text: string): boolean => emailAddress.test(text);

export function isPhone(text: string): boolean {
  const plain = plainPhone(text);
  return plain === '' || (/^[-+().\d ]+((x|ext\.?) ?\d+)?$/i.test(plain) && /\d\D*\d\D*\d/.test(plain));
}

const fits = (text: string, maxChars: number): boolean => [...text].length <= maxChars;

/** What the service would refuse of a person who is created. */
export const personFaults = {
  noName: ({ name }: { name: string }) => !new RegExp(visiblePattern).test(name),
  longName: ({ name }: { name: string }) => !fits(name, limits.textChars),
  badEmail: ({ email }: { email: string }) => !isEmailAddress(email) || !fits(email, limits.emailChars),
  badPhone: ({ phone }: { phone: string }) => !isPhone(phone) || !fits(phone, limits.phoneChars),
};
