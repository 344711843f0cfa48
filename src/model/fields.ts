import type { GraphQLScalarType } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, Int } from 'type-graphql';
import type { TSchema } from 'typebox';
import type { FieldKind, FieldList } from '../fields/field-list.ts';
import { GraphQLDecimal } from './decimal.ts';
import { EventStatus, PayUnit, Role, ShiftStatus } from './enums.ts';
import { DatabaseId } from './nodes.ts';
import { RowIdField } from './row-ids.ts';

/* Gives GraphQL's classes the fields of a field list. */

type Shown = GraphQLScalarType | StringConstructor | BooleanConstructor | Readonly<Record<string, string>>;

const types: Record<FieldKind, Shown> = {
  uuid: ID,
  integer: Int,
  text: String,
  flag: Boolean,
  instant: GraphQLDateTimeISO,
  wallTime: String,
  money: GraphQLDecimal,
  eventStatus: EventStatus,
  shiftStatus: ShiftStatus,
  payUnit: PayUnit,
  role: Role,
};

/** A class whose instances have the type of a row or an input. */
export type ClassOf<Row extends object> = new () => Row;

/** Base of such a class, whose fields for GraphQL are added one by one. */
export const Shape = Object as unknown as ClassOf<object>;

type Class = { readonly prototype: object };

/**
 * Every field of the list that has a description, and the id of the row as `databaseId`. `nullable` names further ones that some
 * callers are shown as null.
 */
export function addFields(to: Class, list: FieldList, nullable: readonly string[] = []): void {
  DatabaseId()(to.prototype, 'id');
  for (const [name, { kind, isNullable = nullable.includes(name), description }] of Object.entries(list))
    if (description !== undefined) Field(() => types[kind], { nullable: isNullable, description })(to.prototype, name);
}

/** An input field for each schema; one that may be left out is nullable, whether or not null means something. */
export function addInputFields(to: Class, list: FieldList, schemas: Readonly<Record<string, TSchema>>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const { kind, refersTo } = list[name]!;
    const options = { nullable: '~optional' in schema, description: describeInput(schema) };
    const add = refersTo ? RowIdField(refersTo, options) : Field(() => types[kind], options);
    add(to.prototype, name);
  }
}

/** The description of the schema, with the length that it allows. A format says more than its length does. */
function describeInput(schema: TSchema): string {
  const {
    description = '',
    maxLength,
    format,
  } = schema as { description?: string; maxLength?: number; format?: string };
  if (maxLength === undefined || format !== undefined) return description;
  return `${description.replace(/\.$/, '')}, at most ${maxLength.toLocaleString('en-US')} characters.`;
}
