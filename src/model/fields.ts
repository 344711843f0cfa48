import { GraphQLCurrency } from 'graphql-scalars';
import { type FieldKind, type FieldList, type ResultOf } from '../fields/field-list.ts';
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
import { field, objectOn, objectWith, type ClassOf, type Kind } from './shapes.ts';

/* Gives the types of GraphQL the fields of a field list. */

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
