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
