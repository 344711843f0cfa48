import { Prisma } from '../generated/prisma/client.ts';
import { searchFolding, searchFormOf, unseen } from '../validation/text-forms.ts';

/*
 * Searches without regard to accents and the kind of white space. Most texts are plain: ASCII with single spaces, which lower()
 * folds alone. Indexes have these expressions, so a change of one needs a migration.
 */

const raw = (sql: string) => Prisma.raw(sql);
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** SQL for the form of a text that is not plain, as `searchFormOf` makes it. */
function foldedText(text: string): string {
  const { leftOut, alike, alikeOne } = searchFolding;
  const bare = `lower(normalize(regexp_replace(normalize(${text}, NFKD), '[${leftOut}]+', '', 'g'), NFC))`;
  const letters = alike.reduce((sql, [from, to]) => `replace(${sql}, ${quoted(from)}, ${quoted(to)})`, bare);
  return `regexp_replace(translate(${letters}, ${alikeOne.map(quoted).join(', ')}), '\\s+', ' ', 'g')`;
}

const isPlainText = (text: string) =>
  `(octet_length(${text}) = char_length(${text}) AND ${text} !~ '\\s\\s|[\\t\\n\\v\\f\\r]')`;

const folded = (text: string) => `(CASE WHEN ${isPlainText(text)} THEN lower(${text}) ELSE ${foldedText(text)} END)`;

/** SQL for the form in which names are equal, as `formOf` makes it. The class of white space of PostgreSQL depends on the locale. */
export function composed(column: string): Prisma.Sql {
  const seen = `regexp_replace(normalize(${column}, NFC), '[${unseen}]+', '', 'g')`;
  const blanks = String.raw`[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+`;
  return raw(`btrim(regexp_replace(${seen}, '${blanks}', ' ', 'g'))`);
}

/** So many characters of a form are compared: a few characters become 18 each, and an entry of an index has 2,700 bytes. */
const comparedChars = 250;
const comparedText = (text: string) => `left(btrim(${folded(text)}), ${comparedChars})`;

export function isSameFolded(column: string, value: string): Prisma.Sql {
  return Prisma.sql`${raw(comparedText(column))} = ${Array.from(searchFormOf(value)).slice(0, comparedChars).join('')}`;
}

export function hasFolded(column: string, value: string): Prisma.Sql {
  return Prisma.sql`strpos(${raw(folded(column))}, ${searchFormOf(value)}) > 0`;
}

const searched = ['e.title', 'e.venue_name', 'e.city'];
const together = `(e.title || E'\\n' || coalesce(e.venue_name, '') || E'\\n' || coalesce(e.city, ''))`;
const areNotPlain = raw(`NOT ${isPlainText(`(e.title || coalesce(e.venue_name, '') || coalesce(e.city, ''))`)}`);

/** Condition on events `e`: their title, venue or city has this text. */
export function isAboutText(text: string): Prisma.Sql {
  const form = searchFormOf(text);
  const pattern = `%${literally(form)}%`;
  const inOne = (columnOf: (name: string) => string, like: string) =>
    Prisma.sql`(${Prisma.join(
      searched.map((name) => Prisma.sql`${raw(`${columnOf(name)} ${like}`)} ${pattern}`),
      ' OR ',
    )})`;
  const [plain, other] = [inOne((name) => name, 'ILIKE'), inOne(foldedText, 'LIKE')];
  // Indexes of trigrams have the three texts as one: src/guide/performance.md#indexes-of-filters
  // They help where three letters or digits follow each other, and also find what only the three together contain.
  if (!/[\p{L}\p{N}]{3}/u.test(form)) return Prisma.sql`(${plain} OR (${areNotPlain} AND ${other}))`;
  return Prisma.sql`((${raw(together)} ILIKE ${pattern} AND ${plain})
    OR (${areNotPlain} AND ${raw(foldedText(together))} LIKE ${pattern} AND ${other}))`;
}

/** Escapes a text for LIKE, so that it matches only itself. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The expressions of the indexes, for the migration that makes them. */
export const indexedSearch = {
  city: comparedText('"city"'),
  together: foldedText(together.replaceAll(/e\.(\w+)/g, '"$1"')),
  isPlain: isPlainText(`("title" || coalesce("venue_name", '') || coalesce("city", ''))`),
};
