import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse, print, validate } from 'graphql';
import { toggleField } from '../src/pages/playground/builder.ts';
import { admin, openPlayground, readEditor, rowsShown } from './support/playground-page.ts';

describe('a click on a field', () => {
  const schema = buildSchema(`
    type Query { events(page: Int): Events! report(from: String!, to: String!): Report viewer: Viewer }
    type Events { nodes: [Event!]! totalCount: Int! }
    type Event { id: ID! title: String! city: String client: Viewer }
    type Report { label: String total: Int }
    type Viewer { name: String! }
  `);
  const click = (query: string | null, ...path: string[]) => {
    const next = toggleField(query ?? '', schema, path);
    if (next !== null) expect(validate(schema, parse(next))).toEqual([]);
    return next;
  };
  const same = (text: string | null, expected: string) => expect(text).toBe(print(parse(expected)));

  test('begins a query with what names the rows best, and adds and removes fields', () => {
    const begun = click('', 'events');
    same(begun, 'query MyQuery { events { nodes { title } } }');
    const wider = click(begun, 'events', 'nodes', 'city');
    same(wider, 'query MyQuery { events { nodes { title city } } }');
    same(
      click(wider, 'events', 'nodes', 'client'),
      'query MyQuery { events { nodes { title city client { name } } } }',
    );
    same(click(wider, 'events', 'nodes', 'title'), 'query MyQuery { events { nodes { city } } }');
    expect(click(begun, 'events', 'nodes', 'title')).toBeNull();
    expect(click(begun, 'events')).toBeNull();
  });

  test('makes variables of what a field needs, and removes them with it', () => {
    const report = click('query Q { viewer { name } }', 'report');
    same(report, 'query Q($from: String!, $to: String!) { viewer { name } report(from: $from, to: $to) { label } }');
    same(click(report, 'report'), 'query Q { viewer { name } }');
  });

  test('keeps arguments, fragments and other operations, and does not touch a mutation or broken text', () => {
    const kept = 'query Q($p: Int) { events(page: $p) { nodes { ...F } } } fragment F on Event { id }';
    same(
      click(kept, 'events', 'totalCount'),
      'query Q($p: Int) { events(page: $p) { nodes { ...F } totalCount } } fragment F on Event { id }',
    );
    const two = 'query A { viewer { name } } query B { events { totalCount } }';
    same(click(two, 'events'), two.replace('name } }', 'name } events { nodes { title } } }'));
    for (const text of ['mutation { change }', '{ broken']) expect(toggleField(text, schema, ['events'])).toBe(text);
  });
});

describe('the drawer', () => {
  const pages = openPlayground();

  test('builds a query by clicks or by keyboard, which then runs', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    await page.getByRole('button', { name: 'New query' }).click();
    await page.getByRole('button', { name: 'Build', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search the fields to start from' }).fill('users');
    await page.getByRole('checkbox', { name: /^users\b/ }).check();
    await page.getByRole('checkbox', { name: /^email\b/ }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('checkbox', { name: /^email\b/, checked: true }).waitFor();
    expect((await readEditor(page, 'operation.graphql')).replaceAll(/\s+/g, ' ')).toBe(
      'query MyQuery { users { nodes { name email } } }',
    );
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('columnheader', { name: 'email' }).waitFor();
    expect(await rowsShown(page)).toBeGreaterThan(0);
  });
});
