import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  type GraphQLArgument,
  type GraphQLNamedType,
} from 'graphql';
import { graphqlCodes } from '../src/graphql/failures.ts';
import { failureCodes } from '../src/errors.ts';
import { spelledValues } from '../src/model/enum-of.ts';
import { createSchema } from '../src/nouns.ts';

interface Described {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
}

const schema = createSchema();
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));

/** Everything with a name, by its path: `Event`, `Event.callTimes`, `Query.event(uuid)`, `EventStatus.DRAFT`. */
const named = new Map<string, Described>([
  ...types.flatMap((type): [string, Described][] => [[type.name, type], ...membersOf(type)]),
  ...schema
    .getDirectives()
    .filter((directive) => !isSpecifiedDirective(directive))
    .flatMap((directive): [string, Described][] => [
      [`@${directive.name}`, directive],
      ...argumentsOf(`@${directive.name}`, directive.args),
    ]),
]);

function membersOf(type: GraphQLNamedType): [string, Described][] {
  const path = (name: string) => `${type.name}.${name}`;
  if (isEnumType(type)) return type.getValues().map((value) => [path(value.name), value]);
  if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => [path(field.name), field]);
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field): [string, Described][] => [
    [path(field.name), field],
    ...argumentsOf(path(field.name), field.args),
  ]);
}

function argumentsOf(path: string, args: readonly GraphQLArgument[]): [string, Described][] {
  return args.map((arg) => [`${path}(${arg.name})`, arg]);
}

const pathsWhere = (holds: (entry: Described) => boolean) =>
  [...named].filter(([, entry]) => holds(entry)).map(([path]) => path);

test('every type, field, argument, input field, enum value and directive has a description', () => {
  expect(named.size).toBeGreaterThan(100);
  expect(pathsWhere(({ description }) => !description?.trim())).toEqual([]);
});

test('a description is a sentence, and says more than the name', () => {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const own = [...named].filter(([path]) => !/^(String|Int|Float|Boolean|ID)$/.test(path));
  const isSentence = (text: string) => /^[A-Z`0-9\u2019'"(-]/.test(text) && /[.!?`)]$/.test(text);
  expect(own.filter(([, entry]) => !isSentence(entry.description ?? '')).map(([path]) => path)).toEqual([]);
  const echoes = own.filter(([, { name, description }]) => plain(description ?? '') === plain(name));
  expect(echoes.map(([path]) => path)).toEqual([]);
});

test('deprecated fields have the directive with a reason', () => {
  const deprecated = pathsWhere(({ deprecationReason }) => typeof deprecationReason === 'string');
  const withoutReason = deprecated.filter((path) => {
    const reason = named.get(path)?.deprecationReason ?? '';
    return reason.trim() === '' || reason === 'No longer supported';
  });
  expect(withoutReason).toEqual([]);
  const inWordsOnly = pathsWhere(
    ({ description, deprecationReason }) =>
      /\bdeprecated|\bobsolete/i.test(description ?? '') && typeof deprecationReason !== 'string',
  );
  expect(inWordsOnly).toEqual([]);
});

test('no description names fields or values as REST spells them', () => {
  const inSnakeCase = pathsWhere(({ description }) => /\b[a-z]+(?:_[a-z0-9]+)+\b|`""`/.test(description ?? ''));
  expect(inSnakeCase).toEqual([]);
});

interface Documented {
  readonly description?: unknown;
  readonly summary?: unknown;
  readonly type?: unknown;
  readonly schema?: { readonly type?: unknown };
  readonly enum?: readonly string[];
}

test('the document of REST, made of the same descriptions, names fields, values and what is not set as REST does', () => {
  const parts: Documented[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) parts.push(value);
    for (const [key, inner] of Object.entries(value)) if (!/^examples?$/.test(key)) collect(inner);
  };
  collect(JSON.parse(readFileSync(new URL('openapi.snapshot.json', import.meta.url), 'utf8')));
  const shown = new Set([
    ...parts.flatMap((part) => (Array.isArray(part.enum) ? part.enum : [])),
    ...failureCodes,
    ...graphqlCodes,
  ]);
  const foreign = new Set([...spelledValues.values()].flat().filter((value) => !shown.has(value)));
  const texts = parts.flatMap((part) =>
    [part.description, part.summary].flatMap((text) =>
      typeof text === 'string' ? [{ text, type: part.schema?.type ?? part.type }] : [],
    ),
  );
  expect(texts.length).toBeGreaterThan(2000);
  /** Values that REST shows as they are: ids of operations, and kinds of rows of the audit trail. */
  const asShown = /`(?:\w+\.\w+|apiKey|webhookEndpoint)`/g;
  const wrong = texts.filter(
    ({ text, type }) =>
      /\b[a-z]+[A-Z]\w*/.test(text.replaceAll(asShown, '')) ||
      (text.match(/\b[A-Z][A-Z_]+\b/g) ?? []).some((word) => word !== 'API' && foreign.has(word)) ||
      (type === 'string' && /\bnull\b/i.test(text)),
  );
  expect(wrong.map(({ text }) => text)).toEqual([]);
});
