import { stringify } from 'csv-stringify/sync';

/** A value as in JSON: text, number, boolean or nothing. */
export type CsvCell = string | number | boolean | null;

export const csvType = 'text/csv';

/**
 * Rows as RFC 4180 has them. Null is an empty cell, every other value is as in JSON, except that text which a spreadsheet would
 * read as a formula begins with an apostrophe.
 */
export function formatCsv(rows: readonly (readonly CsvCell[])[]): string {
  return stringify(
    rows.map((row) => row.map(formatCell)),
    {
      record_delimiter: '\r\n',
      quoted_match: /[\r\n]/,
      // Readers skip an empty line, so a single empty cell is written as "".
      quoted_empty: rows[0]?.length === 1,
    },
  );
}

function formatCell(cell: CsvCell): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? disarmFormula(cell) : JSON.stringify(cell);
}

/**
 * The characters that begin a formula, with the forms of them that some spreadsheets read alike: full-width, small, raised,
 * lowered, and the minus sign. Spreadsheets skip white space before them, and nobody sees characters without a shape:
 * control and format characters, combining marks, fillers, and code points without a character.
 */
const formula =
  /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@\t\r\u207a-\u207c\u208a-\u208c\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]/u;
/** Coordinates and amounts are text in JSON; a signed number computes nothing. */
const signedNumber = /^-\d+(\.\d+)?$/;

function disarmFormula(text: string): string {
  return formula.test(text) && !signedNumber.test(text) ? `'${text}` : text;
}
