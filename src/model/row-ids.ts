import { Extensions, Field, ID } from 'type-graphql';
import type { NodeType } from '../fields/node-types.ts';

/** Facts about a field of an input that names rows, for graphql/row-ids.ts. */
export interface RowIdFacts {
  readonly rowType: NodeType;
}

/**
 * A field of an input that names a row of a type, or with `list` several. In instances of the class it is the key of the row: a
 * number or a uuid.
 */
export function RowIdField(
  rowType: NodeType,
  { list = false, ...options }: { nullable?: boolean; description: string; list?: boolean },
): PropertyDecorator {
  return (prototype, name) => {
    const facts: RowIdFacts = { rowType };
    Field(() => (list ? [ID] : ID), options)(prototype, name as string);
    Extensions({ ...facts })(prototype, name as string);
  };
}
