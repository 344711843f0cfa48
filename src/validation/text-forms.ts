/* The forms in which texts are compared and searched. What is stored is what was sent. */

/** Characters that nobody sees: soft hyphens, zero-width spaces and joiners, marks of direction, and the byte order mark. */
export const unseen = String.raw`\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff`;

const anyUnseen = new RegExp(`[${unseen}]+`, 'g');

/** The form in which names are unique: composed, with white space folded, and without what nobody sees. */
export function formOf(text: string): string {
  return text.normalize('NFC').replaceAll(anyUnseen, '').replaceAll(/\s+/g, ' ').trim();
}

/** Whether two of the texts have one form. */
export function hasTwins(texts: readonly string[]): boolean {
  return new Set(texts.map(formOf)).size < texts.length;
}

/** Letters that are no other letter with an accent, and signs that word processors write in place of those of a keyboard. */
const alike: readonly (readonly [string, string])[] = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
];
const alikeOne = ['øłđħŧıς\u02bc‘’“”‐‑–—−', `oldhtiσ'''""-----`] as const;

/** What makes the form for searches, for the SQL that does the same: src/db/searched-text.ts. */
export const searchFolding = {
  /** Class of the characters that are left out, as regular expressions of JavaScript and PostgreSQL have it. */
  leftOut: `\\u0300-\\u036f${unseen}`,
  alike,
  alikeOne,
};

const leftOut = new RegExp(`[${searchFolding.leftOut}]+`, 'g');

/** The form in which texts are searched: without accents and unseen characters, in lower case, with white space folded. */
export function searchFormOf(text: string): string {
  let form = text.normalize('NFKD').replaceAll(leftOut, '').normalize('NFC').toLowerCase();
  for (const [letter, letters] of alike) form = form.replaceAll(letter, letters);
  const [from, to] = alikeOne.map((letters) => [...letters]) as [string[], string[]];
  const folded = Array.from(form, (letter) => to[from.indexOf(letter)] ?? letter).join('');
  // An accent by itself is searched as it is: nothing would be found in every text.
  return folded.replaceAll(/\s+/g, ' ').trim() || text;
}

/** Without the white space that phones add around an address. The byte order mark is none of it, and stays to be refused. */
export const withoutBlanksAround = (text: string): string => (text.includes('\ufeff') ? text : text.trim());

/** A phone number as a keyboard writes it. A CSV has an apostrophe before its plus sign, and word processors other dashes and spaces. */
export function plainPhone(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(anyUnseen, '')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/\p{Zs}/gu, ' ')
    .replace(/^['‘’]/, '');
}
