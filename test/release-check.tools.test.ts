import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { breakingPart, findGraphqlBreaks, findRestBreaks, findUnnamed } from './releases/breaks.ts';

/* `npm run release:check` finds what breaks a client, and the changelog has to name it. */

const graphql = readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8');
const openApi = readFileSync(new URL('openapi.snapshot.json', import.meta.url), 'utf8');

const graphqlNames = async (before: string, after: string) => {
  expect(after).not.toBe(before);
  return (await findGraphqlBreaks(before, after)).map(({ name }) => name);
};

describe('GraphQL', () => {
  const changes: Record<string, [from: RegExp, to: string, names: string[]]> = {
    'a field is removed': [/^type Viewer \{[^]*?name: String!/m, 'type Viewer {', ['Viewer.name']],
    'a field can be null': [/(^type Viewer \{[^]*?name: String)!/m, '$1', ['Viewer.name']],
    'an argument is required': [/^ {2}viewer: Viewer/m, '  viewer(now: Int!): Viewer', ['Query.viewer.now']],
    'an input field is required': [/(^input SkillLevelInput \{)/m, '$1\n  level: Int!', ['SkillLevelInput.level']],
    'a field is added': [/(^type Viewer \{)/m, '$1\n  level: Int', []],
    'an input field may be sent': [/(^input SkillLevelInput \{)/m, '$1\n  level: Int', []],
  };
  test.each(Object.keys(changes))('%s', async (what) => {
    const [from, to, names] = changes[what]!;
    expect(await graphqlNames(graphql, graphql.replace(from, to))).toEqual(names);
  });
});

interface Schema {
  readonly properties: Record<string, object>;
  required: string[];
}

interface Document {
  readonly paths: Record<string, Record<string, { parameters: object[]; responses: Record<string, object> }>>;
  readonly components: { readonly schemas: Record<'ApiKey' | 'EventsCreateBody', Schema> };
}

describe('REST', () => {
  /** The paths that change below: to compare all of them takes seconds. */
  const before = JSON.parse(openApi) as Document;
  const part = JSON.stringify({
    ...before,
    paths: Object.fromEntries(
      Object.entries(before.paths).filter(([path]) => ['/v1/events', '/v1/tokens/business'].includes(path)),
    ),
  });

  test('the whole document is equal to itself', () => expect(findRestBreaks(openApi, openApi)).toEqual([]));

  const changes: Record<string, [change: (document: Document) => unknown, names: string[]]> = {
    'an operation is removed': [({ paths }) => delete paths['/v1/events']?.['get'], ['GET /v1/events']],
    'a parameter is required': [
      ({ paths }) =>
        paths['/v1/events']!['get']!.parameters.push({ name: 'now', in: 'query', required: true, schema: {} }),
      ['GET /v1/events ?now'],
    ],
    'a status is removed': [
      ({ paths }) => delete paths['/v1/events']!['get']!.responses['200'],
      ['GET /v1/events responses 200'],
    ],
    'a field of a request is required': [
      ({ components }) => components.schemas.EventsCreateBody.required.push('city'),
      ['POST /v1/events city'],
    ],
    'a field of a request is removed': [
      ({ components }) => delete components.schemas.EventsCreateBody.properties['city'],
      ['POST /v1/events city'],
    ],
    'a field of a request is narrower': [
      ({ components }) => Object.assign(components.schemas.EventsCreateBody.properties['title']!, { maxLength: 3 }),
      ['POST /v1/events title'],
    ],
    'a field of an answer is removed': [
      ({ components }) => delete components.schemas.ApiKey.properties['last_four'],
      ['GET /v1/tokens/business data.last_four'],
    ],
    'a field of an answer may be missing': [
      ({ components: { schemas } }) =>
        (schemas.ApiKey.required = schemas.ApiKey.required.filter((name) => name !== 'last_four')),
      ['GET /v1/tokens/business data.last_four'],
    ],
    'a field of an answer has another type': [
      ({ components }) => (components.schemas.ApiKey.properties['last_four'] = { type: ['string', 'null'] }),
      ['GET /v1/tokens/business data.last_four'],
    ],
    'a field of an answer is added': [
      ({ components }) => (components.schemas.ApiKey.properties['colour'] = { type: 'string' }),
      [],
    ],
    'a field of a request may be sent': [
      ({ components }) => (components.schemas.EventsCreateBody.properties['colour'] = { type: 'string' }),
      [],
    ],
  };
  test.each(Object.keys(changes))('%s', (what) => {
    const [change, names] = changes[what]!;
    const document = JSON.parse(part) as Document;
    change(document);
    expect(findRestBreaks(part, JSON.stringify(document)).map(({ name }) => name)).toEqual(names);
  });
});

test('a break is named by the part "Breaking" of the coming version, with its whole name between backticks', () => {
  const breaks = ['Viewer.name', 'Viewer.user', 'GET /v1/events'].map((name) => ({ name, message: 'removed' }));
  const changelog = [
    '# Changelog\n\n## [Unreleased]\n\n### Breaking\n\n- `Viewer.name` is gone.\n- `GET /v1/events title` is text.\n',
    '### Added\n\n- `Viewer.user` is new.\n\n## [1.0.0] - 2026-01-01\n\n### Breaking\n\n- `GET /v1/events` is gone.\n',
  ].join('\n');
  expect(findUnnamed(breaks, breakingPart(changelog, '1.0.0')).map(({ name }) => name)).toEqual([
    'Viewer.user',
    'GET /v1/events',
  ]);
  expect(() => breakingPart(changelog, '0.9.0')).toThrow('The changelog has no section [0.9.0].');
});
