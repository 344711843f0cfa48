import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { formatUtc } from '../time/wall-clock.ts';

/* A view is a shape of REST and the function that makes it from a row, both from one list of fields. */

type Schemas = Readonly<Record<string, TSchema>>;
type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

/** Values that a schema can show: those of its type and, where that is a text, what is written as one. */
type Writable<S extends TSchema> =
  Static<S> | ([Static<S>] extends [string | null] ? Date | boolean | null | undefined : null | undefined);

/** A field shows that of the row with the same name in camelCase, or what the function beside its schema reads. */
type Field<Row, K, S extends TSchema> =
  | readonly [schema: S, read: (row: Row) => Writable<S>]
  | (CamelCase<K> extends keyof Row ? (Row[CamelCase<K>] extends Writable<S> ? S : never) : never);

interface View<Row, S extends Schemas> {
  readonly schema: TObject<S>;
  readonly serialize: (row: Row) => { [K in keyof S]: Static<S[K]> };
}

/** Declares a shape under the title that it has in the OpenAPI document. */
export const titled = <Fields extends TProperties>(title: string, fields: Fields) => Type.Object(fields, { title });

/** Declares the view of a kind of row, a shape under its title. */
export const viewOf =
  <Row extends object>(title: string) =>
  <S extends Schemas>(fields: { readonly [K in keyof S]: Field<Row, K, S[K]> }): View<Row, S> => {
    const shown = Object.entries(fields).map(([key, field]) => {
      const [schema, read] = Array.isArray(field)
        ? (field as [TSchema, (row: Row) => unknown])
        : [field as TSchema, readerOf(key)];
      return { key, schema, read, write: writerOf(schema) };
    });
    return {
      schema: Type.Object(Object.fromEntries(shown.map(({ key, schema }) => [key, schema])) as unknown as S, { title }),
      serialize: (row) => {
        // Assigned one by one: src/guide/performance.md#no-properties-after-a-spread
        const made: Record<string, unknown> = {};
        for (const { key, read, write } of shown) made[key] = write(read(row));
        return made as ReturnType<View<Row, S>['serialize']>;
      },
    };
  };

function readerOf(key: string): (row: object) => unknown {
  const name = key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return (row) => (row as Readonly<Record<string, unknown>>)[name];
}

/** In a text, a date has the format of the schema, a flag is `true` or `false`, and what is missing is empty. */
function writerOf(schema: TSchema): (value: unknown) => unknown {
  const branches = (schema as { anyOf?: TSchema[] }).anyOf ?? [schema];
  const types = branches.flatMap((branch) => (branch as { type?: string | string[] }).type ?? []);
  if (!types.includes('string')) return (value) => value ?? null;
  const missing = types.includes('null') ? null : '';
  const isIso = branches.some((branch) => 'format' in branch && branch.format === 'date-time');
  const writeDate = isIso ? (at: Date) => at.toISOString() : formatUtc;
  return (value) => {
    if (value instanceof Date) return writeDate(value);
    return typeof value === 'boolean' ? String(value) : (value ?? missing);
  };
}
