import Type, { type TSchema } from 'typebox';
import type { Field, FieldKind, FieldList } from '../fields/field-list.ts';
import {
  AttendanceSource,
  CallTimeClaims,
  EventStatus,
  OfferMode,
  OfferState,
  PayUnit,
  Role,
  ShiftStatus,
  SwapState,
} from '../generated/prisma/enums.ts';
import { formatUtc } from '../time/wall-clock.ts';
import { elapsedMinutes, endOf, startOf, type ZonedPeriod } from '../time/zoned-time.ts';
import { nullable, oneOf } from '../validation/schemas.ts';
import { snakeCase } from './dialect.ts';
import { decimalSchema, offsetTimeSchema } from './formats.ts';

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

const asStored: Show = (value) => value;

const plain = (schema: Shown['schema']): Shown => ({ schema, show: asStored });

const kinds: Record<FieldKind, Shown> = {
  uuid: plain((description) => Type.String({ description })),
  integer: plain((description) => Type.Integer({ description })),
  text: { schema: (description) => Type.String({ description }), show: (value) => value ?? '' },
  flag: plain((description) => Type.Boolean({ description })),
  instant: {
    schema: (description) =>
      Type.String({ description: `${description} \`Y-m-d H:i:s\`.`, examples: ['2026-11-20 10:28:21'] }),
    show: (value) => (value === null ? null : formatUtc(value as Date)),
  },
  wallTime: plain((description) => Type.String({ description, examples: ['2026-12-31 18:30:00'] })),
  money: plain(decimalSchema),
  eventStatus: plain((description) => oneOf(Object.values(EventStatus), description)),
  shiftStatus: plain((description) => oneOf(Object.values(ShiftStatus), description)),
  payUnit: plain((description) => oneOf(Object.values(PayUnit), description)),
  role: plain((description) => oneOf(Object.values(Role), description)),
  claims: plain((description) => oneOf(Object.values(CallTimeClaims), description)),
  offerMode: plain((description) => oneOf(Object.values(OfferMode), description)),
  offerState: plain((description) => oneOf(Object.values(OfferState), description)),
  attendanceSource: plain((description) => oneOf(Object.values(AttendanceSource), description)),
  swapState: plain((description) => oneOf(Object.values(SwapState), description)),
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

function shownField([name, field]: [string, Field]): ShownField {
  const { schema, show } = ends[name] ?? kinds[field.kind];
  const described = schema(field.description ?? fallbackDescription(name));
  const canBeNull = field.isNullable === true && field.kind !== 'text';
  return { name, key: snakeCase(name), schema: canBeNull ? nullable(described) : described, show };
}

/** `callTimeId` -> `Call time id.` */
function fallbackDescription(name: string): string {
  const words = snakeCase(name).replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Derives the shape of a noun's rows from its field list. Texts that are not set are empty, everything else is null. */
export function shapeOf<Row extends object>(list: FieldList, omit: readonly (keyof Row & string)[] = []): Shape<Row> {
  const fields = Object.entries(list)
    .filter(([name]) => !(omit as readonly string[]).includes(name))
    .map(shownField);
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

/** Minutes between start and end, for the shapes of nouns that have both. */
export const durationProperty = {
  duration_minutes: Type.Union([Type.Number(), Type.Null()], {
    description:
      'Minutes that pass from start to end, across clock changes too; null while either is to be determined.',
  }),
};

export const serializeDuration = (row: ZonedPeriod) => ({ duration_minutes: elapsedMinutes(row) });
