import { parse } from 'csv-parse/sync';
import type { Service } from './app.ts';

export interface CsvAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | number | undefined>;
  readonly text: string;
  readonly header: string[];
  readonly rows: string[][];
}

/** Asks for CSV: a GET, or a GraphQL query by POST. */
export async function askCsv(
  service: Service,
  what: string | { query: string; variables?: object },
  { as, accept = 'text/csv', method }: { as?: string; accept?: string; method?: 'GET' | 'HEAD' } = {},
): Promise<CsvAnswer> {
  const reply = await service.inject({
    ...(typeof what === 'string'
      ? { method: method ?? 'GET', url: what }
      : { method: 'POST' as const, url: '/graphql', payload: what }),
    headers: { accept, ...(as && { authorization: `Bearer ${as}` }) },
  });
  const isCsv = String(reply.headers['content-type']).startsWith('text/csv') && reply.body !== '';
  const [header = [], ...rows] = isCsv ? readCsv(reply.body) : [];
  return { status: reply.statusCode, headers: reply.headers, text: reply.body, header, rows };
}

/** Parses CSV strictly: every row as wide as the first, every line ended by CRLF. */
export const readCsv = (text: string): string[][] => parse(text, { record_delimiter: '\r\n' });

/** A value of JSON as the cell that it must be. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  const isNumber = value.trim() !== '' && !value.startsWith('+') && String(Number(value)) !== 'NaN';
  return !isNumber && ['=', '+', '-', '@'].includes(value.trim().charAt(0)) ? `'${value}` : value;
}
