import { readFileSync } from 'node:fs';
import { afterAll, expect } from '@jest/globals';

/*
 * The last proof of tenancy: every statement that the service sends in any test is read here, and one that touches a
 * tenant table without saying which business fails the file that sent it.
 */
const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
const tables = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => table as string);
const tenantTables = tables.filter((table) => table !== 'businesses');
const touches = new RegExp(`\\b(from|join|into|update)\\s+("?public"?\\.)?"?(${tenantTables.join('|')})\\b`, 'i');
/** A condition with a value: to join two tables by their business, or to set the column, says nothing of which. */
const saysWhich = /\b(where|on)\b.*business_id"?\s*(=\s*\$\d|in\s*\(\s*\$\d)/is;
const writesWhich = /insert into[^(]*\([^)]*business_id/i;

/** Statements that cross businesses by design, each by what makes it recognisable. */
const exceptions: Record<string, RegExp> = {
  'log-in, which names no business': /"users"\."email_key" = \$1/,
  'an API key, which names no business': /k\.public_id = \$1/,
  'answers whose time is over, of every business': /DELETE FROM idempotency_keys k USING expired/,
  'the log-ins of the demo businesses, which are public': /WHERE b\.is_demo AND u\.email_key IN/,
};

const statements: string[] = [];

/** Takes a statement down. */
export const watchSql = (sql: string): void => void statements.push(sql);

/** How many statements were sent so far. */
export const sqlCount = (): number => statements.length;

export const statementsSince = (count: number): string[] => statements.slice(count);

export const isLeak = (sql: string): boolean =>
  touches.test(sql) &&
  !saysWhich.test(sql) &&
  !writesWhich.test(sql) &&
  !Object.values(exceptions).some((exception) => exception.test(sql));

afterAll(() => {
  expect(statements.filter(isLeak)).toEqual([]);
});
