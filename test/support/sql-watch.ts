import { expect } from '@jest/globals';
import { findUnboundTables } from './sql-tenancy.ts';

/*
 * The last proof of tenancy: every statement that the service sends in any test is read here, and one that names a tenant
 * table without binding it to a business fails the file that sent it.
 */
let statements: string[] = [];

/** Starts anew, before each test file. */
export function forgetStatements(): void {
  statements = [];
}

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

/** Fails if a statement of the test file names a tenant table of any business. */
export function expectBoundStatements(): void {
  const leaks = [...new Set(statements)].map((statement) => ({ statement, unbound: findUnboundTables(statement) }));
  // Each table in `unbound` needs `alias.business_id = ${db.$businessId}`, or equality to that of a table that is bound.
  expect(leaks.filter(({ unbound }) => unbound.length > 0)).toEqual([]);
}
