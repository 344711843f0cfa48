import { stringify } from 'csv-stringify/sync';
import type { FastifyRequest } from 'fastify';

/** As JSON has it: a text, a number, a flag, or nothing. */
export type Cell = string | number | boolean | null;

export const csvType = 'text/csv';

/** Types of JSON that an address answers in, the usual one first. */
export type JsonTypes = readonly [string, ...string[]];

/** Whether the client ranks CSV above JSON; who takes anything gets JSON. */
export const prefersCsv = (request: FastifyRequest, jsonTypes: JsonTypes): boolean =>
  request.headers.accept !== undefined && request.accepts().type([...jsonTypes, csvType]) === csvType;

/**
 * Rows by RFC 4180. Null is the empty cell, all else is as in JSON, save that text which a spreadsheet would take for a
 * formula begins with an apostrophe.
 */
export const csvLines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map(printCell)),
    {
      record_delimiter: '\r\n',
      quoted_match: /[\r\n]/,
      // A line with nothing on it is no row.
      quoted_empty: rows[0]?.length === 1,
    },
  );

const printCell = (cell: Cell): string => {
  if (cell === null) return '';
  return typeof cell === 'string' ? withoutFormula(cell) : JSON.stringify(cell);
};

/** With the full-width forms that some spreadsheets read alike, and behind white space, which they skip. */
const formula = /^\s*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/;
/** Degrees and amounts are text in JSON; a number with its sign computes nothing. */
const signedNumber = /^-\d+(\.\d+)?$/;

const withoutFormula = (text: string): string => (formula.test(text) && !signedNumber.test(text) ? `'${text}` : text);
