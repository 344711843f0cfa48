import { GraphQLCurrency } from 'graphql-scalars';
import type { Static, TObject, TSchema } from 'typebox';
import type { FieldKind, FieldList, ResultOf } from '../fields/field-list.ts';
import {
  AttendanceSource,
  AvailabilityRule,
  CallTimeClaims,
  CandidateReasonCode,
  ClashKind,
  CoverageState,
  EventStatus,
  OfferMode,
  OfferState,
  PayUnit,
  ReasonSeverity,
  Role,
  ScreenNames,
  ShiftStatus,
  SwapState,
  Weekday,
} from './enums.ts';
import { WebhookDisabledReason, WebhookMessageStatus, WebhookType } from './webhooks-enums.ts';
import { ZonedTime } from './zoned-times.ts';
import { field, inputWith, objectOn, objectWith, type ClassOf, type Kind } from './shapes.ts';

/* Gives GraphQL's classes the fields of a field list. */

const kinds: Record<FieldKind, Kind<unknown>> = {
  uuid: field.id,
  integer: field.int,
  text: field.text,
  flag: field.flag,
  instant: field.instant,
  wallTime: field.text,
  webhookTypes: field.of([WebhookType]),
  zonedTime: field.of(ZonedTime),
  money: field.decimal,
  currency: field.of(GraphQLCurrency),
  date: field.text,
  hours: field.float,
  share: field.float,
  eventStatus: field.of(EventStatus),
  shiftStatus: field.of(ShiftStatus),
  payUnit: field.of(PayUnit),
  role: field.of(Role),
  claims: field.of(CallTimeClaims),
  offerMode: field.of(OfferMode),
  offerState: field.of(OfferState),
  attendanceSource: field.of(AttendanceSource),
  swapState: field.of(SwapState),
  coverageState: field.of(CoverageState),
  clashKind: field.of(ClashKind),
  reasonCode: field.of(CandidateReasonCode),
  reasonSeverity: field.of(ReasonSeverity),
  screenNames: field.of(ScreenNames),
  weekday: field.of(Weekday),
  availabilityRule: field.of(AvailabilityRule),
  messageStatus: field.of(WebhookMessageStatus),
  webhookType: field.of(WebhookType),
  disabledReason: field.of(WebhookDisabledReason),
};

/**
 * The base of a type with every field of the list that has a description, and the id of the row as `databaseId`. `nullable` names
 * further ones that some callers are shown as null.
 */
export function objectOf<Row extends object>(list: FieldList, nullable: readonly string[] = []): ClassOf<Row> {
  return objectWith({ id: field.databaseId, ...fieldsOf(list, nullable) }) as unknown as ClassOf<Row>;
}

/** The base of the type of a result, with every field of the list that has a description. */
export const resultOf = <L extends FieldList>(list: L) => objectWith(fieldsOf(list)) as unknown as ClassOf<ResultOf<L>>;

/** An object type with the fields of a result beside those of another type. */
export const resultOn = <Base extends object, L extends FieldList>(base: ClassOf<Base>, list: L) =>
  objectOn(base, fieldsOf(list)) as unknown as ClassOf<Base & ResultOf<L>>;

function fieldsOf(list: FieldList, nullable: readonly string[] = []) {
  const fields = Object.entries(list).flatMap(
    ([name, { kind, isNullable = nullable.includes(name), description, refersTo }]) =>
      description === undefined || refersTo
        ? []
        : [[name, (isNullable ? kinds[kind].orNull : kinds[kind])(description)]],
  );
  return Object.fromEntries(fields) as Record<string, ReturnType<Kind<unknown>>>;
}

/** The base of an input with a field for each schema; one that may be left out is nullable, whether or not null means something. */
export function inputOf<S extends Readonly<Record<string, TSchema>>>(
  list: FieldList,
  schemas: S,
): ClassOf<Static<TObject<S>>> {
  const fields = Object.entries(schemas).map(([name, schema]) => {
    const { kind, refersTo } = list[name]!;
    const input: Kind<unknown> = refersTo ? field.rowId(refersTo) : kinds[kind];
    return [name, ('~optional' in schema ? input.orNull : input)(describeInput(schema))];
  });
  return inputWith(Object.fromEntries(fields)) as unknown as ClassOf<Static<TObject<S>>>;
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
