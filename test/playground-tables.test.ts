import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { formatCsv as formatServiceCsv } from '../src/http/csv.ts';
import { appendPage, askForPages, requestNextPage, takePages } from '../src/pages/playground/paging.ts';
import { formatCsv, formatTsv, nameFile } from '../src/pages/playground/table-export.ts';
import { filterRows, findNumericColumns, sortRows, sumColumns } from '../src/pages/playground/table-rows.ts';
import { mergeTabs, type TabState } from '../src/pages/playground/tab-state.ts';
import type { Row, TableCell } from '../src/pages/playground/tables.ts';

const toRows = (rows: Record<string, TableCell>[]): Row[] => rows.map((row) => new Map(Object.entries(row)));

describe('rows', () => {
  const rows = toRows([
    { name: 'Ann', pay: '10.10', done: true, list: { items: [{ city: 'Ghent' }] } },
    { name: 'Bob', pay: null, done: false, list: { items: [] } },
    { name: 'cy', pay: '-0.2', done: false, list: { items: [] } },
  ]);
  const names = (found: readonly Row[]) => found.map((row) => row.get('name'));

  test('are sorted with empty cells last in both directions', () => {
    expect(names(sortRows(rows, { column: 'pay', isDescending: false }))).toEqual(['cy', 'Ann', 'Bob']);
    expect(names(sortRows(rows, { column: 'pay', isDescending: true }))).toEqual(['Ann', 'cy', 'Bob']);
    expect(sortRows(rows, null)).toBe(rows);
  });

  test('are found by any shown column, in any case, also inside nested lists', () => {
    expect(names(filterRows(rows, ['name', 'list'], ' CY '))).toEqual(['cy']);
    expect(names(filterRows(rows, ['name', 'list'], 'ghent'))).toEqual(['Ann']);
    expect(names(filterRows(rows, ['name'], 'ghent'))).toEqual([]);
    expect(filterRows(rows, ['name'], ' ')).toBe(rows);
  });

  test('have exact totals of their amounts, and none of numbers that name or rate something', () => {
    expect([...findNumericColumns(['name', 'pay', 'done'], rows)]).toEqual(['pay']);
    const numeric = new Set(['pay', 'databaseId', 'coverage.fillRate', 'open']);
    const amounts = toRows(['0.10', '0.20', '9007199254740993.00'].map((pay) => ({ pay, databaseId: 1, open: 2 })));
    expect(sumColumns(numeric, amounts)).toEqual(
      new Map([
        ['pay', '9007199254740993.30'],
        ['open', '6'],
      ]),
    );
    expect(sumColumns(new Set(['pay']), rows).get('pay')).toBe('9.90');
    expect(sumColumns(new Set(['pay']), toRows([{ pay: '-0.25' }, { pay: '0.05' }])).get('pay')).toBe('-0.20');
  });
});

describe('an exported table', () => {
  const hard = ['a "b"', 'x,y', 'two\nlines', '=1+1', ' \u200b@x', '-5.20', '-5+1', '\uff1dA1', '+49', "'", '', 'é'];

  test('quotes and guards cells like the CSV of the service', () => {
    const columns = hard.map((_, index) => `c${index}`);
    const row = new Map(hard.map((text, index) => [`c${index}`, text]));
    expect(formatCsv(columns, [row])).toBe(formatServiceCsv([columns, hard]));
    const values = [null, 1.5, true, 'text'];
    const keyed = new Map<string, TableCell>(values.map((value, index) => [`c${index}`, value]));
    const four = columns.slice(0, 4);
    expect(formatCsv(four, [keyed])).toBe(formatServiceCsv([four, values]));
    expect(formatCsv(['a'], [new Map()])).toBe('a\r\n""\r\n');
    expect(formatCsv(['a', '=b'], toRows([{ a: { items: [1, 2] } }]))).toBe("a,'=b\r\n2,\r\n");
  });

  test('is tab-separated for spreadsheets, without line breaks in cells', () => {
    expect(formatTsv(['a', 'b'], toRows([{ a: 'x\ty\r\nz', b: '=1' }]))).toBe("a\tb\nx y z\t'=1");
  });

  test('is named by the question and the list', () => {
    const day = new Date('2026-11-23T10:00:00Z');
    expect(nameFile('Upcoming', 'events.nodes.callTimes', 'csv', day)).toBe('Upcoming-callTimes-2026-11-23.csv');
    expect(nameFile(null, 'events.nodes', 'csv', day)).toBe('Query-events-2026-11-23.csv');
  });
});

describe('pages of a list', () => {
  const schema = buildSchema(`
    type Query { things(page: Int, perPage: Int, first: Int, after: String, text: String): Things! one: Thing }
    type Things { nodes: [Thing!]! totalCount: Int! pageInfo: PageInfo! }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type Thing { name: String! }
    type Mutation { change: Thing }
  `);
  const query = `query Q($text: String, $per: Int) {
    mine: things(text: $text, perPage: $per) { nodes { ...F } }
    one { name }
  }
  fragment F on Thing { name }`;
  const request = { query, variables: { text: 'x', per: 15 }, operationName: 'Q' };

  test('are asked for without moving a line, and taken out of the data', () => {
    const asked = askForPages(request, schema);
    expect(validate(schema, parse(asked))).toEqual([]);
    expect(asked.split('\n').length).toBe(query.split('\n').length);
    expect(asked).toContain('callboardTotal');
    expect(askForPages({ query: 'mutation { change { name } }' }, schema)).toBe('mutation { change { name } }');
    expect(askForPages({ query: '{ things {' }, schema)).toBe('{ things {');
    expect(askForPages(request, null)).toBe(query);
    const page = { hasNextPage: true, endCursor: 'c' };
    expect(takePages({ mine: { nodes: [1], callboardTotal: 44, callboardPage: page }, one: null })).toEqual({
      data: { mine: { nodes: [1] }, one: null },
      pages: new Map([['mine', { total: 44, ...page }]]),
    });
  });

  test('are read behind a cursor, without the other fields and unused variables', () => {
    const next = requestNextPage(request, 'mine', 100, 'c"1');
    expect(validate(schema, parse(next.query))).toEqual([]);
    expect(next.query).toContain('things(text: $text, first: 100, after: "c\\"1")');
    expect(next.query).toContain('one @skip(if: true)');
    expect(next.variables).toEqual({ text: 'x' });
    expect(appendPage({ mine: { nodes: [1] }, one: 2 }, { mine: { nodes: [3] } }, 'mine')).toEqual({
      mine: { nodes: [1, 3] },
      one: 2,
    });
  });
});

describe('the tabs of several browser tabs', () => {
  const state = (texts: Record<string, string>, active = 0): TabState => ({
    tabs: Object.entries(texts).map(([id, query]) => ({ id, query, variables: null })),
    activeTabIndex: active,
  });
  const merge = (...states: Parameters<typeof mergeTabs>) =>
    Object.fromEntries(mergeTabs(...states).tabs.map(({ id, query }) => [id, query]));

  test('are merged: new ones of both, changed ones of both, without those that one of them closed', () => {
    const base = state({ a: '1', b: '1', c: '1' });
    expect(merge(base, state({ a: '2', c: '1', mine: 'x' }), state({ a: '1', b: '1', theirs: 'y' }))).toEqual({
      a: '2',
      mine: 'x',
      theirs: 'y',
    });
    expect(merge(base, state({ a: '1', b: '1', c: '1' }), state({ a: '9', b: '1', c: '1' })).a).toBe('9');
    expect(mergeTabs(base, state({ a: '1', b: '1', c: '1' }, 2), base).activeTabIndex).toBe(2);
  });
});
