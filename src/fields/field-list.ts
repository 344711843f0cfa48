import Type, { type TOptional, type TSchema } from 'typebox';
import type { Prisma } from '../generated/prisma/client.ts';
import * as enums from '../generated/prisma/enums.ts';
import { wallToColumn, type WallTime } from '../time/wall-clock.ts';
import type { ZonedTimeValue } from '../time/zoned-time.ts';
import { nullable, text } from '../validation/schemas.ts';
import {
  candidateReasons,
  clashKinds,
  codesOf,
  coverageStates,
  disabledReasons,
  messageStatuses,
  severities,
} from './codes.ts';
import type { NodeType } from './node-types.ts';
import { testWebhookType, webhookTypes } from './webhook-types.ts';

/*
 * The field list of a noun says once what its rows hold. The SELECT, INSERT and UPDATE lists, the checks of input, the
 * fields and inputs of GraphQL, REST's further fields and the tests' samples are derived from it, and Prisma's model is
 * compared with it by the compiler. The list of a result, such as the sums of a report, names what its SQL selects.
 */

/** Values of the enums, by kind of field. */
export const enumValues = {
  eventStatus: Object.values(enums.EventStatus),
  shiftStatus: Object.values(enums.ShiftStatus),
  payUnit: Object.values(enums.PayUnit),
  role: Object.values(enums.Role),
  claims: Object.values(enums.CallTimeClaims),
  offerMode: Object.values(enums.OfferMode),
  offerState: Object.values(enums.OfferState),
  attendanceSource: Object.values(enums.AttendanceSource),
  swapState: Object.values(enums.SwapState),
  coverageState: codesOf(coverageStates),
  clashKind: codesOf(clashKinds),
  reasonCode: codesOf(candidateReasons),
  reasonSeverity: codesOf(severities),
  screenNames: Object.values(enums.ScreenNames),
  weekday: Object.values(enums.Weekday),
  availabilityRule: Object.values(enums.AvailabilityRule),
  messageStatus: Object.keys(messageStatuses),
  webhookType: [...Object.keys(webhookTypes), testWebhookType],
  disabledReason: Object.keys(disabledReasons),
} as const;

type EnumRowValues = { [K in keyof typeof enumValues]: (typeof enumValues)[K][number] };

/** Types of the values in a row, by kind of field. */
interface RowValues extends EnumRowValues {
  uuid: string;
  integer: number;
  text: string;
  flag: boolean;
  instant: Date;
  /** Wall-clock time in the zone of the event. */
  wallTime: WallTime;
  /** USD with two decimals. */
  money: string;
  webhookTypes: string[];
  /** A time by the clocks of a zone, and as an instant. */
  zonedTime: ZonedTimeValue;
  /** Currency code, ISO 4217. */
  currency: string;
  /** `YYYY-MM-DD`. */
  date: string;
  /** With two decimals. */
  hours: number;
  /** 0 to 1. */
  share: number;
}

/** Types of the values in Prisma's model, by kind of field. */
interface StoredValues extends Omit<RowValues, 'wallTime' | 'money'> {
  wallTime: Date;
  money: Prisma.Decimal;
}

export type FieldKind = keyof RowValues;

/** Places in REST's shapes of events that can show fields beyond the contract. */
export type RestPlace = 'list' | 'single';

export interface Field {
  readonly kind: FieldKind;
  /** Whether the field can be null, because a row lacks it or because it is hidden. */
  readonly isNullable?: boolean;
  /** Name of the column in Prisma's model, if it differs from the name of the field. */
  readonly stored?: string;
  /** Whether the field comes from another table. */
  readonly isJoined?: boolean;
  /** Whether a new row gets the value by itself: from the database, or from the business that it belongs to. */
  readonly isGenerated?: boolean;
  /** Default value in a new row. */
  readonly initially?: string | boolean;
  /** Type of the row that the field is the id of. GraphQL takes a global id for it, and shows the row instead of the number. */
  readonly refersTo?: NodeType;
  /** Roles for which the field is null in every row. */
  readonly hiddenFrom?: readonly ('staff' | 'client')[];
  /** Description for readers of the API. A field without one is not shown in GraphQL. */
  readonly description?: string;
  /** Schema of the value in the input of a new row. The value is required unless the schema is optional. */
  readonly input?: TSchema;
  /** Schema of the value in a change, if it differs from `input`. */
  readonly change?: TSchema;
  /** Places where REST shows the field beyond the contract. The shapes of the contract itself stand in rest/. */
  readonly rest?: readonly RestPlace[];
}

export type FieldList = Readonly<Record<string, Field>>;

/** Keeps the literal types of a field list. */
export const fieldList = <const L extends FieldList>(list: L): L => list;

interface Maker<K extends FieldKind> {
  (description: string): { readonly kind: K; readonly description: string };
  readonly orNull: (description: string) => {
    readonly kind: K;
    readonly isNullable: true;
    readonly description: string;
  };
}

const makerOf = <K extends FieldKind>(kind: K): Maker<K> =>
  Object.assign((description: string) => ({ kind, description }), {
    orNull: (description: string) => ({ kind, isNullable: true, description }) as const,
  });

type EnumKind = keyof typeof enumValues;
type EnumMakers = { readonly [K in EnumKind]: Maker<K> };

/** Makes fields that are only shown, by kind: `shown.money('Pay by the plan.')`. */
export const shown = {
  ...(Object.fromEntries(Object.keys(enumValues).map((kind) => [kind, makerOf(kind as EnumKind)])) as EnumMakers),
  uuid: makerOf('uuid'),
  integer: makerOf('integer'),
  text: makerOf('text'),
  flag: makerOf('flag'),
  instant: makerOf('instant'),
  webhookTypes: makerOf('webhookTypes'),
  zonedTime: makerOf('zonedTime'),
  money: makerOf('money'),
  currency: makerOf('currency'),
  date: makerOf('date'),
  hours: makerOf('hours'),
  share: makerOf('share'),
};

/** Makes an optional text of at most `maxChars` characters. Null and the empty text unset it. */
export const optionalText = (maxChars: number, description: string) =>
  ({
    kind: 'text',
    isNullable: true,
    description,
    input: Type.Optional(nullable(text(maxChars, { description }))),
  }) as const;

/** The version of a row. A trigger counts its changes. */
export const rowVersion = {
  kind: 'integer',
  isGenerated: true,
  description:
    'Number of changes of this row. Send it with an update to have the update refused if somebody has changed the row since.',
} as const;

type OrNull<F extends Field> = F extends { isNullable: true } ? null : never;
type StoredName<L extends FieldList, K extends keyof L> = L[K] extends { isJoined: true }
  ? never
  : L[K] extends { stored: infer S extends string }
    ? S
    : K;

/**
 * A row with every field of the list. Pass the `Differences` from Prisma's model. There must be none; otherwise the
 * error of the compiler names the columns.
 */
export type RowOf<L extends FieldList, Difference extends never> = {
  -readonly [K in keyof L]: RowValues[L[K]['kind']] | OrNull<L[K]>;
} & ([Difference] extends [never] ? unknown : unknown);

/** A result with every field of the list. */
export type ResultOf<L extends FieldList> = RowOf<L, never>;

/** The columns of the list, as Prisma's model must have them. */
export type StoredRowOf<L extends FieldList> = {
  -readonly [K in keyof L as StoredName<L, K>]: StoredValues[L[K]['kind']] | OrNull<L[K]>;
};

type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Names of the properties that one of two types lacks, or that have different types. */
export type Differences<A, B> = {
  [K in keyof A | keyof B]: K extends keyof A & keyof B ? (IsSame<A[K], B[K]> extends true ? never : K) : K;
}[keyof A | keyof B];

/** The fields that are set in a new row of the list: all except those that it gets by itself. */
export type NewRowOf<L extends FieldList, Row extends Record<keyof L, unknown>> = {
  [K in keyof L as L[K] extends NotSet | MayBeLeftOut ? never : K]: Row[K];
} & {
  [K in keyof L as L[K] extends NotSet ? never : L[K] extends MayBeLeftOut ? K : never]?: Row[K] | undefined;
};
type NotSet = { isJoined: true } | { isGenerated: true };
type MayBeLeftOut = { isNullable: true } | { initially: string | boolean };

type Input<F extends Field> = F extends { input: infer S extends TSchema } ? S : never;
type Change<F extends Field> = F extends { change: infer S extends TSchema } ? S : Input<F>;

/** Schemas of the input of a new row, by field. */
type InputsOf<L extends FieldList> = {
  [K in keyof L as L[K] extends { input: TSchema } ? K : never]: Input<L[K]>;
};

/** Schemas of the input of a change, by field. Each field can be left out. */
type ChangesOf<L extends FieldList> = {
  [K in keyof L as L[K] extends { input: TSchema } ? K : never]: TOptional<Change<L[K]>>;
};

const inputFields = (list: FieldList) => Object.entries(list).filter(([, { input }]) => input !== undefined);

export const inputsOf = <L extends FieldList>(list: L): InputsOf<L> =>
  Object.fromEntries(inputFields(list).map(([name, { input }]) => [name, input])) as InputsOf<L>;

export const changesOf = <L extends FieldList>(list: L): ChangesOf<L> =>
  Object.fromEntries(
    inputFields(list).map(([name, { input, change = input }]) => [name, Type.Optional(change as TSchema)]),
  ) as ChangesOf<L>;

/** The columns of some fields of the list. The column of an optional field is optional. */
type StoredOf<L extends FieldList, Fields> = {
  -readonly [K in keyof Fields as K extends keyof L ? StoredName<L, K> : never]: K extends keyof L
    ? StoredValues[L[K]['kind']] | OrNull<L[K]>
    : never;
};

/** Converts fields of the list to columns, with the values that Prisma stores. The empty text unsets a column. */
export function toStored<
  L extends FieldList,
  Fields extends { readonly [K in keyof L]?: RowValues[L[K]['kind']] | OrNull<L[K]> | undefined },
>(list: L, fields: Fields): StoredOf<L, Fields> {
  const columns = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const field = list[name];
    if (!field || field.isJoined || value === undefined) return [];
    const stored = field.kind === 'wallTime' && value !== null ? wallToColumn(String(value)) : orNull(field, value);
    return [[field.stored ?? name, stored]];
  });
  return Object.fromEntries(columns) as StoredOf<L, Fields>;
}

/** Returns the length limit of each text of the list's own table whose input has one. */
export function lengthsOf<L extends FieldList>(list: L): { [K in Bounded<L>]: { readonly maxChars: number } } {
  const lengths = Object.entries(list).flatMap(([name, { kind, input }]) => {
    const { maxLength } = (input ?? {}) as { maxLength?: number };
    return kind === 'text' && maxLength !== undefined ? [[name, { maxChars: maxLength }]] : [];
  });
  return Object.fromEntries(lengths) as { [K in Bounded<L>]: { readonly maxChars: number } };
}

type Bounded<L extends FieldList> = {
  [K in keyof L]: L[K] extends { kind: 'text'; input: TSchema } ? K : never;
}[keyof L];

/** Selects every field of the list, in the form of Prisma's `select`. */
export const allOf = <L extends FieldList>(list: L): { [K in keyof L]: true } =>
  Object.fromEntries(Object.keys(list).map((name) => [name, true])) as { [K in keyof L]: true };

/** Returns the value to be stored: null instead of the empty text, if the field is nullable. */
export const orNull = ({ isNullable }: Field, value: unknown): unknown => (value === '' && isNullable ? null : value);
