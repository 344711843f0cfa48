import type { GraphQLScalarType } from 'graphql';
import { ArgsType, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { rowVersion } from '../fields/field-list.ts';
import type { nodeTypes, NodeType } from '../fields/node-types.ts';
import { GraphQLDecimal } from './decimal.ts';
import { GraphQLInstant } from './instants.ts';
import { RowIdField } from './row-ids.ts';

/*
 * The fields of a type, an input or arguments as one list, from which type-graphql gets their types and descriptions, and
 * TypeScript the type of the class that extends it.
 */

type Presence = 'always' | 'orNull' | 'optional';

interface FieldOptions {
  /** Name in the schema, if it is another one. */
  readonly name?: string;
  readonly simple?: boolean;
}

interface DeclaredField<Value, P extends Presence = Presence> {
  readonly add: PropertyDecorator;
  /** Only for the compiler. */
  readonly holds?: readonly [Value, P];
}

/** Declares a field of one type. One that is `orNull` or `optional` may be left out of an input; null is for `orNull` only. */
export interface Kind<Value> {
  (description: string, options?: FieldOptions): DeclaredField<Value, 'always'>;
  readonly orNull: (description: string, options?: FieldOptions) => DeclaredField<Value | null, 'orNull'>;
  readonly optional: (description: string, options?: FieldOptions) => DeclaredField<Value, 'optional'>;
}

type TypeOf<T> = T extends readonly [infer Item]
  ? TypeOf<Item>[]
  : T extends StringConstructor
    ? string
    : T extends BooleanConstructor
      ? boolean
      : T extends GraphQLScalarType<infer Value, infer _External>
        ? Value
        : T extends abstract new () => infer Instance
          ? Instance
          : T extends Readonly<Record<string, infer Value>>
            ? Value
            : never;

type Type = Parameters<typeof Field>[0] extends infer F ? (F extends (type?: void) => infer R ? R : never) : never;

function kindOf<Value>(add: (options: FieldOptions & { nullable: boolean; description: string }) => PropertyDecorator) {
  const make =
    (nullable: boolean) =>
    (description: string, options: FieldOptions = {}) => ({
      add: add({ nullable, description, ...options }),
    });
  return Object.assign(make(false), { orNull: make(true), optional: make(true) }) as Kind<Value>;
}

const fieldOf = <const T>(type: T): Kind<TypeOf<T>> =>
  kindOf((options) => Field(() => type as Type, options) as PropertyDecorator);

type KeyOf<T extends NodeType> = (typeof nodeTypes)[T]['key'] extends 'number' ? number : string;

const int = fieldOf(Int);

/** Fields by what they hold. `of` is for other types of type-graphql: a class, an enum, a scalar, or a list with one type. */
export const field = {
  of: fieldOf,
  /** A field whose type is found when the schema is built. */
  from: (find: () => object): Kind<unknown> =>
    kindOf((options) => Field(find as () => Type, options) as PropertyDecorator),
  text: fieldOf(String),
  id: fieldOf(ID),
  flag: fieldOf(Boolean),
  int,
  float: fieldOf(Float),
  decimal: fieldOf(GraphQLDecimal),
  instant: fieldOf(GraphQLInstant),
  /** The id of a row in an input, and a list of such ids. */
  rowId: <T extends NodeType>(type: T): Kind<KeyOf<T>> => kindOf((options) => RowIdField(type, options)),
  rowIds: <T extends NodeType>(type: T): Kind<KeyOf<T>[]> =>
    kindOf((options) => RowIdField(type, { list: true, ...options })),
  /** The number of a row, as REST and the command line name it. */
  databaseId: int('Number of the row, by which REST and the command line name it.', {
    name: 'databaseId',
    simple: false,
  }),
  version: int(rowVersion.description),
};

type Fields = Readonly<Record<string, DeclaredField<unknown>>>;

type With<F extends Fields, P extends Presence> = {
  [K in keyof F as F[K] extends DeclaredField<unknown, P> ? K : never]: F[K] extends DeclaredField<infer Value>
    ? Value
    : never;
};

/** A class whose instances have the type of a row or an input. */
export type ClassOf<Row extends object> = new () => Row;

/** The base of a type with these fields, which are read from its rows. */
export const objectWith = <F extends Fields>(fields: F) => objectOn(Object as ClassOf<object>, fields);

/** An object type with these fields beside those of another type. */
export function objectOn<F extends Fields, Base extends object>(
  base: ClassOf<Base>,
  fields: F,
): ClassOf<Base & With<F, 'always' | 'orNull'> & Partial<With<F, 'optional'>>> {
  @ObjectType({ simpleResolvers: true })
  class Shape extends (base as ClassOf<object>) {}
  return addAll(Shape, fields);
}

/** The base of an input or of arguments with these fields. */
export const inputWith = <F extends Fields>(fields: F) => inputOn(Object as ClassOf<object>, fields);

/** An input type with these fields beside those of another input. */
export function inputOn<F extends Fields, Base extends object>(
  base: ClassOf<Base>,
  fields: F,
): ClassOf<Base & With<F, 'always'> & Partial<With<F, 'orNull' | 'optional'>>> {
  @InputType()
  @ArgsType()
  class Shape extends (base as ClassOf<object>) {}
  return addAll(Shape, fields);
}

function addAll<Row extends object>(to: ClassOf<object>, fields: Fields): ClassOf<Row> {
  for (const [name, { add }] of Object.entries(fields)) add(to.prototype as object, name);
  return to as ClassOf<Row>;
}
