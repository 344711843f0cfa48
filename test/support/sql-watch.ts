import { afterAll, expect } from '@jest/globals';

/*
 * The last proof of tenancy: every statement that the service sends in any test is read here, and one that names a tenant
 * table without binding it to a business fails the file that sent it.
 */
const statements: string[] = [];

/** Takes a statement down. */
export function watchSql(sql: string): void {
  statements.push(sql);
}

/** How many statements were sent so far. */
export function sqlCount(): number {
  return statements.length;
}

export function statementsSince(count: number): string[] {
  return statements.slice(count);
}

afterAll(async () => {
  if (statements.length === 0) return;
  // The parser takes 50 ms to load: only files that send statements need it.
  const { findUnboundTables } = await import('./sql-tenancy.ts');
  const leaks = [...new Set(statements)].map((statement) => ({ statement, unbound: findUnboundTables(statement) }));
  // Each table in `unbound` needs `alias.business_id = ${db.$businessId}`, or equality to that of a table that is bound.
  expect(leaks.filter(({ unbound }) => unbound.length > 0)).toEqual([]);
});
