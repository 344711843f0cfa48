import type { FieldKind, FieldList } from '../fields/field-list.ts';
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
} from './enums.ts';
import { field, objectWith, type ClassOf, type Kind } from './shapes.ts';

/* Gives the types of GraphQL the fields of a field list. */

const kinds: Record<FieldKind, Kind<unknown>> = {
  uuid: field.id,
  integer: field.int,
  text: field.text,
  flag: field.flag,
  instant: field.instant,
  wallTime: field.text,
  money: field.decimal,
  eventStatus: field.of(EventStatus),
  shiftStatus: field.of(ShiftStatus),
  payUnit: field.of(PayUnit),
  role: field.of(Role),
  claims: field.of(CallTimeClaims),
  offerMode: field.of(OfferMode),
  offerState: field.of(OfferState),
  attendanceSource: field.of(AttendanceSource),
  swapState: field.of(SwapState),
};

/**
 * The base of a type with every field of the list that has a description, and the id of the row as `databaseId`. `nullable` names
 * further ones that some callers are shown as null.
 */
export function objectOf<Row extends object>(list: FieldList, nullable: readonly string[] = []): ClassOf<Row> {
  const fields = Object.entries(list).flatMap(([name, { kind, isNullable = nullable.includes(name), description }]) =>
    description === undefined ? [] : [[name, (isNullable ? kinds[kind].orNull : kinds[kind])(description)]],
  );
  return objectWith({ id: field.databaseId, ...Object.fromEntries(fields) }) as unknown as ClassOf<Row>;
}
