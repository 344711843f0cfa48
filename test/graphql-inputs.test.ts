import { expect, test } from '@jest/globals';
import { printType } from 'graphql';
import { Arg, InputType, Query, Resolver } from 'type-graphql';
import Type from 'typebox';
import { EventStatus } from '../src/generated/prisma/enums.ts';
import { readInput } from '../src/graphql/inputs.ts';
import { buildSchema } from '../src/graphql/schema.ts';
import { encodeGlobalId } from '../src/model/global-ids.ts';
import { inputFrom } from '../src/model/input-from.ts';
import { closedObject, instant, money, nullable, oneOf, rowNumber, text, uuidOf } from '../src/validation/schemas.ts';

/* Inputs of GraphQL are made from the schemas of the services. */

const inner = closedObject({ reason: text(10, { description: 'Why.' }) });

const schema = closedObject({
  eventUuid: uuidOf('event'),
  userIds: Type.Optional(Type.Array(rowNumber('Id of a user.'), { maxItems: 3, description: 'Ids of the users.' })),
  actorId: Type.Optional(rowNumber('Number of the caller.')),
  at: instant('When.'),
  rate: nullable(money('USD; null: none.')),
  statuses: Type.Array(oneOf([EventStatus.active, EventStatus.draft]), { maxItems: 2, description: 'Not `DELETED`.' }),
  note: Type.Optional(nullable(text(1000, { description: 'Excludes `eventUuid`. Null for none.' }))),
  override: Type.Optional(nullable({ ...inner, description: 'Allows it.' })),
});

class InnerInput extends inputFrom(inner) {}
class OuterInput extends inputFrom(schema, { override: InnerInput }) {}
for (const input of [InnerInput, OuterInput]) InputType()(input);

class EchoResolver {
  echo(input: OuterInput) {
    return input.note;
  }
}
Resolver()(EchoResolver);
Query(() => String)(EchoResolver.prototype, 'echo', {});
Arg('input', () => OuterInput)(EchoResolver.prototype, 'echo', 0);

test('types, names and descriptions of an input follow from the schema of the service', () => {
  const types = buildSchema([EchoResolver]).getTypeMap();
  expect(printType(types['OuterInput']!)).toBe(`input OuterInput {
  """Id of the event."""
  eventId: ID!

  """Ids of the users, at most 3."""
  userIds: [ID!]

  """Number of the caller."""
  actorDatabaseId: Int

  """When."""
  at: DateTimeISO!

  """USD; null: none."""
  rate: Decimal

  """Not \`DELETED\`."""
  statuses: [EventStatus!]!

  """Excludes \`eventId\`. Null for none. At most 1,000 characters."""
  note: String

  """Allows it."""
  override: InnerInput
}`);
});

test('an input is read under the names of the service, with the keys of rows', () => {
  const uuid = '504c9e80-b3c6-41c8-846b-abe02ec79d9a';
  const sent = { eventId: encodeGlobalId('Event', uuid), userIds: [encodeGlobalId('User', '11')], actorDatabaseId: 7 };
  expect(readInput(Object.assign(new OuterInput(), sent))).toEqual({ eventUuid: uuid, userIds: [11], actorId: 7 });
});
