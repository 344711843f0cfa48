import { createParameterDecorator, ID } from 'type-graphql';
import { nodeTypes, type NodeType } from '../fields/node-types.ts';
import type { FieldErrors } from '../errors.ts';
import { readRowKey } from '../model/global-ids.ts';

/*
 * Arguments name rows by global id, or by the name that REST has for them; the services know them by their keys. A text that names
 * no row goes on as a key that the input of no operation takes: each operation refuses it together with all other faults.
 */

const alsoTakes = { uuid: ' or uuid', number: ' or databaseId', 'public id': ' or public id' } as const;

/** An argument that names a row of a type. The method gets the key of the row: a number or a uuid. */
export function RowId(
  type: NodeType,
  { name = 'id', description, nullable = false }: { name?: string; description?: string; nullable?: boolean } = {},
): ReturnType<typeof createParameterDecorator> {
  return createParameterDecorator(({ args }) => toRowKey(type, args[name]), {
    arg: { name, typeFunc: () => ID, options: { nullable, description: description ?? describeRowId(type) } },
  });
}

function describeRowId(type: NodeType): string {
  const { noun, otherName } = nodeTypes[type];
  return `Id${otherName === null ? '' : alsoTakes[otherName]} of the ${noun}.`;
}

/** No row has this number. A text that is no uuid needs no such key. */
const noNumber = 0;

/** The key of a row that an input names. */
export function toRowKey(type: NodeType, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const key = readRowKey(type, value);
  return nodeTypes[type].key === 'number' ? Number(key ?? noNumber) : (key ?? value);
}

/** Errors of an input with the names that GraphQL has for its fields. */
export function toGraphqlErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => {
      const name = toGraphqlName(field);
      return [
        name,
        messages.map((message) => (isRowId.test(name) ? describeWrongId(message) : toGraphqlName(message))),
      ];
    }),
  );
}

function toGraphqlName(text: string): string {
  return text
    .replaceAll(/\b(event|callTime|shift|otherShift|field|checkInEvent)Uuid(s?)\b/g, '$1Id$2')
    .replace(/^filter\.(actor|row)Id$/, 'filter.$1DatabaseId');
}

const isRowId = /(?<!Database)Id(s\.\d+)?$/;

/** The services speak of numbers and uuids, which callers of GraphQL need not know. */
function describeWrongId(message: string): string {
  return /^must be (at least 1|a valid uuid)$/.test(message)
    ? 'must be the id of a row of this type'
    : toGraphqlName(message);
}
