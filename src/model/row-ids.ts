import 'reflect-metadata';
import { Field, ID } from 'type-graphql';
import { nodeTypes, type NodeType } from '../fields/node-types.ts';

/*
 * Fields of inputs that name rows. The services call the fields by the keys of the rows, numbers and uuids; in GraphQL each is an id.
 */

/** The types of the rows that fields name, by the names of the fields in the services. A plural names several rows. */
const rowTypes: Readonly<Record<string, NodeType>> = {
  eventUuid: 'Event',
  checkInEventUuid: 'Event',
  callTimeUuid: 'CallTime',
  freeFor: 'CallTime',
  shiftUuid: 'WorkShift',
  otherShiftUuid: 'WorkShift',
  fieldUuid: 'CustomFieldDefinition',
  userId: 'User',
  toUserId: 'User',
  clientId: 'User',
  staffId: 'User',
  positionId: 'Position',
  skillLevelId: 'SkillLevel',
  qualificationId: 'Qualification',
};

/** The type of the row, or of the rows, that a field of a service names. */
export const rowTypeNamedBy = (name: string): NodeType | undefined =>
  rowTypes[name] ?? rowTypes[name.replace(/s$/, '')];

/** The name of a service's field in GraphQL: `eventId` for `eventUuid`. The number of any other row is its `databaseId`. */
export function nameInGraphql(name: string, isNumber = false): string {
  if (rowTypeNamedBy(name)) return name.replace(/Uuid(s?)$/, 'Id$1');
  return isNumber ? name.replace(/Id$/, 'DatabaseId') : name;
}

/** The name in the services of a field of an input, which names a row of a type or none. */
export function nameInServices(name: string, rowType: NodeType | undefined): string {
  if (rowType === undefined) return name.replace(/DatabaseId$/, 'Id');
  return nodeTypes[rowType].key === 'uuid' ? name.replace(/Id(s?)$/, 'Uuid$1') : name;
}

const rowTypeKey = 'callboard:row-type';

/**
 * A field of an input that names a row of a type, or with `list` several. It is an id as it was sent; graphql/inputs.ts reads the key of
 * the row.
 */
export function RowIdField(
  rowType: NodeType,
  { list = false, ...options }: { nullable?: boolean; description: string; list?: boolean },
): PropertyDecorator {
  return (prototype, name) => {
    Field(() => (list ? [ID] : ID), options)(prototype, name as string);
    Reflect.defineMetadata(rowTypeKey, rowType, prototype, name);
  };
}

/** The type of the row that a field of an input names; undefined if it names none. */
export function rowTypeOf(input: object, name: string): NodeType | undefined {
  return Reflect.getMetadata(rowTypeKey, input, name) as NodeType | undefined;
}
