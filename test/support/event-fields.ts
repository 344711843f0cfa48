import { callTimeFields } from '../../src/fields/call-times.ts';
import { eventFields } from '../../src/fields/events.ts';
import type { Field, FieldList, RestPlace } from '../../src/fields/field-list.ts';
import { workShiftFields } from '../../src/fields/work-shifts.ts';
import { snakeCase } from '../../src/rest/dialect.ts';

/* What tests know of the fields of events and their children: all of it follows from the field lists. */

const entries = (list: FieldList): [string, Field][] => Object.entries(list);
const joined = (names: string[]) => names.join(' ');

/** Fields that GraphQL shows, but the version, which counts the changes of a test. */
const shown = (list: FieldList) =>
  joined(entries(list).flatMap(([name, { description }]) => (description && name !== 'version' ? [name] : [])));

export const shownFields = {
  event: `id: databaseId ${shown(eventFields)} business { databaseId }`,
  callTime: `id: databaseId ${shown(callTimeFields)} position { databaseId title } skillLevel { databaseId }`,
  workShift: `id: databaseId ${shown(workShiftFields)} position { databaseId title }`,
};

interface TextInput {
  readonly maxLength?: number;
  readonly format?: string;
}

const inputOf = ({ input }: Field) => input as TextInput | undefined;
const isOptionalText = (field: Field) =>
  field.kind === 'text' && field.isNullable === true && inputOf(field) !== undefined;

/** A value for each optional text of an event. */
export const eventTexts: Record<string, string> = Object.fromEntries(
  entries(eventFields).flatMap(([name, field]) => {
    if (!isOptionalText(field)) return [];
    return [[name, inputOf(field)?.format?.startsWith('degrees') ? '51.380000' : `The ${name}`]];
  }),
);

/** Texts of an event that are free in their form, each with the most characters that it takes. */
export const eventTextLengths: Record<string, number> = Object.fromEntries(
  entries(eventFields).flatMap(([name, field]) => {
    const { maxLength, format } = inputOf(field) ?? {};
    return field.kind === 'text' && maxLength !== undefined && format === undefined ? [[name, maxLength]] : [];
  }),
);

/** Every field that an event can be created with, in snake_case. */
export const eventInputs = entries(eventFields).flatMap(([name, { input }]) => (input ? [snakeCase(name)] : []));

/** Fields that REST shows in a place behind those of the contract, by their names in GraphQL. */
export const furtherInRest = (place: RestPlace): string[] =>
  entries(eventFields).flatMap(([name, { rest = [] }]) => (rest.includes(place) ? [name] : []));
