import 'reflect-metadata';
import { Field, ID } from 'type-graphql';
import type { NodeType } from '../fields/node-types.ts';

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
