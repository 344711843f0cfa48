import Type, { type TObject, type TSchema } from 'typebox';
import { enumValues, type Field, type FieldKind, type FieldList, type ResultOf } from '../fields/field-list.ts';
import { webhookTypes } from '../fields/webhook-types.ts';
import { formatUtc } from '../time/wall-clock.ts';
import { elapsedMinutes, endOf, startOf, type ZonedPeriod, type ZonedTimeValue } from '../time/zoned-time.ts';
import { nullable, oneOf } from '../validation/schemas.ts';
import { snakeCase } from './dialect.ts';
import { decimalSchema, isoSchema, offsetTimeSchema, textSchema } from './formats.ts';
import { titled } from './views.ts';

/*
 * The shapes of the extensions are derived from the field lists, so that a field of a noun is shown as soon as its list has it.
 * The shapes of the contract itself are written out in the files of their nouns.
 */

/** A shape of REST, and the function that makes it from a row. */
export interface Shape<Row> {
  readonly properties: Readonly<Record<string, TSchema>>;
  readonly serialize: (row: Row) => Record<string, unknown>;
}

type Show = (value: unknown, row: ZonedPeriod) => unknown;

interface Shown {
  readonly schema: (description: string) => TSchema;
  readonly show: Show;
}

const asStored: Show = (value) => value ?? null;

const showIso: Show = (value) => (value as ZonedTimeValue | null)?.iso ?? null;

const plain = (schema: Shown['schema']): Shown => ({ schema, show: asStored });

const enums = Object.fromEntries(
  Object.entries(enumValues).map(([kind, values]) => [
    kind,
    plain((description) => oneOf<string>(values, description)),
  ]),
) as Record<keyof typeof enumValues, Shown>;

const kinds: Record<FieldKind, Shown> = {
  ...enums,
  uuid: plain(textSchema),
  integer: plain((description) => Type.Integer({ description })),
  text: { schema: textSchema, show: (value) => value ?? '' },
  flag: plain((description) => Type.Boolean({ description })),
  instant: {
    schema: (description) =>
      Type.String({ description: `${description} \`Y-m-d H:i:s\`.`, examples: ['2026-11-20 10:28:21'] }),
    show: (value) => (value === null ? null : formatUtc(value as Date)),
  },
  wallTime: plain((description) => Type.String({ description, examples: ['2026-12-31 18:30:00'] })),
  webhookTypes: plain((description) => Type.Array(oneOf<string>(Object.keys(webhookTypes)), { description })),
  zonedTime: { schema: (description) => offsetTimeSchema(description.replace(/\.$/, '')), show: showIso },
  money: plain(decimalSchema),
  currency: plain(textSchema),
  date: plain((description) => Type.String({ format: 'date', description })),
  hours: plain((description) => Type.Number({ description })),
  share: plain((description) => Type.Number({ description })),
};

/** Instants of a period are shown with the offset of its zone, so that they name the local time and the instant at once. */
const ends: Readonly<Record<string, Shown>> = {
  startsAt: { schema: () => offsetTimeSchema('Start'), show: (_, row) => startOf(row).iso },
  endsAt: { schema: () => offsetTimeSchema('End'), show: (_, row) => endOf(row).iso },
};

interface ShownField {
  readonly name: string;
  readonly key: string;
  readonly schema: TSchema;
  readonly show: Show;
}

/** How a shape spells what the shapes of rows spell otherwise. */
interface Spelling {
  /** Where a text is missing, null instead of the empty text; nulls are in the type of the schema, or a branch of it. */
  readonly nulls?: 'type' | 'anyOf';
  /** Instants as ISO 8601. */
  readonly instants?: 'iso';
}

const isoInstant: Shown = {
  schema: (description) => isoSchema(description.replace(', UTC', ', ISO 8601, UTC')),
  show: (value) => (value as Date | null | undefined)?.toISOString() ?? null,
};

function shownField(name: string, field: Field, { nulls, instants }: Spelling): ShownField {
  const isIso = instants === 'iso' && field.kind === 'instant';
  const { schema, show } = isIso ? isoInstant : (ends[name] ?? kinds[field.kind]);
  const shown = { name, key: snakeCase(name), schema: schema(field.description ?? fallbackDescription(name)), show };
  if (field.isNullable !== true || (field.kind === 'text' && nulls === undefined)) return shown;
  const orNull = nulls === 'anyOf' ? anyOfNull : nullable;
  return { ...shown, schema: orNull(shown.schema), ...(field.kind === 'text' && { show: asStored }) };
}

function anyOfNull(schema: TSchema): TSchema {
  const { description, ...known } = schema as { description: string };
  return Type.Union([known as TSchema, Type.Null()], { description });
}

/** `callTimeId` -> `Call time id.` */
function fallbackDescription(name: string): string {
  const words = snakeCase(name).replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Derives the shape of a noun's rows from its field list. Texts that are not set are empty, everything else is null. */
export function shapeOf<Row extends object>(
  list: FieldList,
  omit: readonly (keyof Row & string)[] = [],
  spelling: Spelling = {},
): Shape<Row> {
  const fields = Object.entries(list)
    .filter(([name]) => !(omit as readonly string[]).includes(name))
    .map(([name, field]) => shownField(name, field, spelling));
  return {
    properties: Object.fromEntries(fields.map(({ key, schema }) => [key, schema])),
    serialize: (row) => {
      const shown: Record<string, unknown> = {};
      for (const { name, key, show } of fields)
        shown[key] = show(row[name as keyof Row], row as unknown as ZonedPeriod);
      return shown;
    },
  };
}

interface ListView<Row> {
  readonly schema: TObject;
  readonly serialize: Shape<Row>['serialize'];
}

interface ViewOptions<Row> extends Spelling {
  /** Fields that REST does not show. */
  readonly omit?: readonly (keyof Row & string)[];
}

/** The view of a result under its title: what is missing is null, and instants are ISO 8601. */
export function viewOfList<L extends FieldList>(
  title: string,
  list: L,
  { omit, nulls = 'type' }: ViewOptions<ResultOf<L>> = {},
): ListView<ResultOf<L>> {
  const { properties, serialize } = shapeOf<ResultOf<L>>(list, omit, { nulls, instants: 'iso' });
  return { schema: titled(title, properties), serialize };
}

/** Minutes between start and end, for the shapes of nouns that have both. */
export const durationProperty = {
  duration_minutes: Type.Union([Type.Number(), Type.Null()], {
    description:
      'Minutes that pass from start to end, across clock changes too; null while either is to be determined.',
  }),
};

export const serializeDuration = (row: ZonedPeriod) => ({ duration_minutes: elapsedMinutes(row) });
