import Type, { type Static, type TObject, type TOptional, type TSchema } from 'typebox';
import type { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus, PayUnit, Role, ShiftStatus } from '../generated/prisma/enums.ts';
import { wallToColumn, type WallTime } from '../time/wall-clock.ts';
import { nullable, text } from '../validation/schemas.ts';

/*
 * The field list of a noun says once what its rows hold. The SELECT, INSERT and UPDATE lists, the checks of input, the
 * fields and inputs of GraphQL, REST's further fields and the tests' samples are derived from it, and Prisma's model is
 * compared with it by the compiler.
 */

/** How rows hold a value of each kind. */
interface RowValues {
  uuid: string;
  integer: number;
  text: string;
  flag: boolean;
  instant: Date;
  /** Wall-clock time in the zone of the event. */
  wallTime: WallTime;
  /** USD with two decimals. */
  money: string;
  eventStatus: EventStatus;
  shiftStatus: ShiftStatus;
  payUnit: PayUnit;
  role: Role;
}

/** How Prisma's model holds it. */
interface StoredValues extends Omit<RowValues, 'wallTime' | 'money'> {
  wallTime: Date;
  money: Prisma.Decimal;
}

export type FieldKind = keyof RowValues;

/** Places in REST's shapes of events that can show fields beyond the contract. */
export type RestPlace = 'list' | 'single';

export interface Field {
  readonly kind: FieldKind;
  /** Whether a row can be without it, or it can be hidden: null then. */
  readonly isNullable?: boolean;
  /** The column's name in Prisma's model, where it is not the field's. */
  readonly stored?: string;
  /** Whether it comes from another table. */
  readonly isJoined?: boolean;
  /** Whether a new row gets it without being given it: from the database, or as the row of a business. */
  readonly isGenerated?: boolean;
  /** The value in a new row for which none is given. */
  readonly initially?: string | boolean;
  /** Callers for whom it is null in every row. */
  readonly hiddenFrom?: readonly ('staff' | 'client')[];
  /** What it is, for readers of the API; without it, GraphQL does not show it. */
  readonly description?: string;
  /** What a new row can be given. It is needed unless the schema is optional. */
  readonly input?: TSchema;
  /** What a change can set, where that differs from `input`. */
  readonly change?: TSchema;
  /** Where REST shows it beyond the contract; the contract's own shapes stand in rest/. */
  readonly rest?: readonly RestPlace[];
}

export type FieldList = Readonly<Record<string, Field>>;

/** Keeps the literal types of a field list. */
export const fieldList = <const L extends FieldList>(list: L): L => list;

/** A text of at most so many characters, which null and the empty text unset. */
export const optionalText = (maxChars: number, description: string) =>
  ({
    kind: 'text',
    isNullable: true,
    description,
    input: Type.Optional(nullable(text(maxChars, { description }))),
  }) as const;

/** Counts the changes of a row, by a trigger. */
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
 * A row with every field of the list. Pass the `Differences` from Prisma's model, of which there must be none: where
 * there are, the compiler's message names the columns.
 */
export type RowOf<L extends FieldList, Difference extends never> = {
  -readonly [K in keyof L]: RowValues[L[K]['kind']] | OrNull<L[K]>;
} & ([Difference] extends [never] ? unknown : unknown);

/** The columns of the list, as Prisma's model must have them. */
export type StoredRowOf<L extends FieldList> = {
  -readonly [K in keyof L as StoredName<L, K>]: StoredValues[L[K]['kind']] | OrNull<L[K]>;
};

type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Names of what one type has and the other lacks, or holds otherwise. */
export type Differences<A, B> = {
  [K in keyof A | keyof B]: K extends keyof A & keyof B ? (IsSame<A[K], B[K]> extends true ? never : K) : K;
}[keyof A | keyof B];

/** What is set in a new row of the list: all but what it gets by itself. */
export type NewRowOf<L extends FieldList, Row extends Record<keyof L, unknown>> = {
  [K in keyof L as L[K] extends NotSet | MayBeLeftOut ? never : K]: Row[K];
} & {
  [K in keyof L as L[K] extends NotSet ? never : L[K] extends MayBeLeftOut ? K : never]?: Row[K] | undefined;
};
type NotSet = { isJoined: true } | { isGenerated: true };
type MayBeLeftOut = { isNullable: true } | { initially: string | boolean };

type Input<F extends Field> = F extends { input: infer S extends TSchema } ? S : never;
type Change<F extends Field> = F extends { change: infer S extends TSchema } ? S : Input<F>;

/** Schemas of what a new row is given, by field. */
export type InputsOf<L extends FieldList> = {
  [K in keyof L as L[K] extends { input: TSchema } ? K : never]: Input<L[K]>;
};

/** Schemas of what a change sets, by field; each can be left out. */
export type ChangesOf<L extends FieldList> = {
  [K in keyof L as L[K] extends { input: TSchema } ? K : never]: TOptional<Change<L[K]>>;
};

export type NewOf<L extends FieldList> = Static<TObject<InputsOf<L>>>;
export type ChangedOf<L extends FieldList> = Static<TObject<ChangesOf<L>>>;

const inputFields = (list: FieldList) => Object.entries(list).filter(([, { input }]) => input !== undefined);

export const inputsOf = <L extends FieldList>(list: L): InputsOf<L> =>
  Object.fromEntries(inputFields(list).map(([name, { input }]) => [name, input])) as InputsOf<L>;

export const changesOf = <L extends FieldList>(list: L): ChangesOf<L> =>
  Object.fromEntries(
    inputFields(list).map(([name, { input, change = input }]) => [name, Type.Optional(change as TSchema)]),
  ) as ChangesOf<L>;

/** The columns that hold some fields of the list; those of fields that may be missing may be missing. */
type StoredOf<L extends FieldList, Fields> = {
  -readonly [K in keyof Fields as K extends keyof L ? StoredName<L, K> : never]: K extends keyof L
    ? StoredValues[L[K]['kind']] | OrNull<L[K]>
    : never;
};

/** Fields of the list by the names of their columns, with values as Prisma stores them; the empty text unsets. */
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

/** The longest text that an input may be, for each text of the list's own table that has such a bound. */
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

/** Every field of the list, as Prisma is told to read it. */
export const allOf = <L extends FieldList>(list: L): { [K in keyof L]: true } =>
  Object.fromEntries(Object.keys(list).map((name) => [name, true])) as { [K in keyof L]: true };

/** A value as it is stored: null for the empty text, where null is allowed. */
export const orNull = ({ isNullable }: Field, value: unknown): unknown => (value === '' && isNullable ? null : value);
