import { Float, ID, Int } from 'type-graphql';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { GraphQLDecimal } from './decimal.ts';
import { enumWith } from './enum-of.ts';
// Inputs find enums by their values.
import './enums.ts';
import { GraphQLInstant } from './instants.ts';
import { nameInGraphql, rowTypeNamedBy } from './row-ids.ts';
import { field, inputOn, type ClassOf, type Kind } from './shapes.ts';

/*
 * Inputs and arguments of GraphQL are made from the schemas by which the services check them, so that each field and its description
 * stand there alone.
 */

/** Types that the schema does not tell, by the name of the field: the class of an input within the input, or another scalar. */
export type Types = Readonly<Record<string, object>>;

/** The parts of a schema that tell the type of a field. */
interface Told {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly items?: TSchema;
  readonly format?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly instant?: true | 'orNull';
  readonly description?: string;
}

/** The base of an input, or of arguments, with the fields of a schema. */
export const inputFrom = <P extends TProperties>(schema: Schema<P>, types: Types = {}) =>
  inputFromOn(Object as ClassOf<object>, schema, types);

/** The base of an input with the fields of a schema beside those of another input. A field that may be left out, or be null, is nullable. */
export function inputFromOn<P extends TProperties, Base extends object>(
  base: ClassOf<Base>,
  { properties }: Schema<P>,
  types: Types = {},
): ClassOf<Base & Static<TObject<P>>> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const { items } = schema as Told;
    const row = rowTypeNamedBy(name);
    const given = types[name];
    const kind: Kind<unknown> = row
      ? field[items ? 'rowIds' : 'rowId'](row)
      : field.from(() => (given ? (items ? [given] : given) : typeOf(schema)));
    const spelled = nameInGraphql(name, typesOf(schema)[0] === 'integer');
    return [spelled, (isNullable(schema) ? kind.orNull : kind)(describe(schema, row !== undefined))];
  });
  return inputOn(base, Object.fromEntries(fields)) as unknown as ClassOf<Base & Static<TObject<P>>>;
}

interface Schema<P extends TProperties> {
  readonly properties: P;
}

const typesOf = (schema: TSchema): readonly (string | undefined)[] => [(schema as Told).type].flat();

const isNullable = (schema: TSchema): boolean =>
  '~optional' in schema || (schema as Told).instant === 'orNull' || typesOf(schema).includes('null');

const scalars: Readonly<Record<string, object>> = { integer: Int, number: Float, boolean: Boolean, string: String };
const scalarsByFormat: Readonly<Record<string, object>> = { money: GraphQLDecimal, uuid: ID };

function typeOf(schema: TSchema): object {
  const { items, instant, format = '', enum: values } = schema as Told;
  const [type = 'string'] = typesOf(schema);
  if (items) return [typeOf(items)];
  if (instant) return GraphQLInstant;
  if (values && type === 'string') return enumWith(values.filter((value) => value !== null));
  const scalar = scalarsByFormat[format] ?? scalars[type];
  if (!scalar) throw new Error(`No type of GraphQL is known for ${JSON.stringify(schema)}.`);
  return scalar;
}

/** The description of a schema, with the length that it allows, of a text or a list. A format says more than its length does. */
function describe(schema: TSchema, namesRow: boolean): string {
  const { description = '', maxLength, format, items, maxItems } = schema as Told;
  const spelled = namesRow ? description.replace(/^UUID/, 'Id').replaceAll('UUID', 'id') : description;
  const text = spelled.replaceAll(/(?<=`)(\w+)Uuid(?=s?`)/g, '$1Id');
  const withLimit = (limit: string) =>
    /[.;] /.test(text) ? `${text} At most ${limit}.` : `${text.replace(/\.$/, '')}, at most ${limit}.`;
  if (maxItems !== undefined && !(items as Told).enum) return withLimit(String(maxItems));
  if (maxLength === undefined || format !== undefined) return text;
  return withLimit(`${maxLength.toLocaleString('en-US')} characters`);
}
