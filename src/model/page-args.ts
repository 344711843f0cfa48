import type { Static, TObject, TProperties } from 'typebox';
import { ArgsType, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { inputFrom, inputFromOn, type Types } from './input-from.ts';
import { field, inputOn, inputWith, type ClassOf } from './shapes.ts';

@ArgsType()
class PageArgs extends inputWith({
  page: field.int.orNull('Page number, starting at 1. Default: 1.'),
  perPage: field.int.orNull(`Items per page, at most ${limits.perPageMax}. Default: ${limits.perPageDefault}.`),
}) {}

/** Arguments of a list that can also be read by cursor. */
@ArgsType()
export class CursorArgs extends inputOn(PageArgs, {
  first: field.int.orNull(
    `Number of items when reading by cursor instead of by page number, at most ${limits.perPageMax}. Default with \`after\`: ${limits.perPageDefault}.`,
  ),
  after: field.text.orNull(
    'Continue after the item with this cursor, from a list in the same order. Without it, the list starts at the first item.',
  ),
  last: field.int.orNull(
    `Number of items at the end of the list, or before a cursor, in the order of the list, at most ${limits.perPageMax}. Default with \`before\`: ${limits.perPageDefault}.`,
  ),
  before: field.text.orNull(
    'Items before the one with this cursor, from a list in the same order, such as `startCursor`.',
  ),
}) {}

/** The base of the arguments of a list by pages, with further ones from schemas of the service. */
export const pageWith = <P extends TProperties>(properties: P) => inputFromOn(CursorArgs, { properties });

/** The base of the arguments of a list by pages with a filter, an input of that name with the fields of the schema. */
export function filteredPage<P extends TProperties>(
  name: string,
  filter: { readonly properties: P },
  nouns: string,
  types: Types = {},
) {
  @InputType(name, { description: `Filter of ${nouns}. All given conditions must hold.` })
  class Filter extends (inputFrom(filter, types) as ClassOf<object>) {}
  return inputOn(CursorArgs, {
    filter: field.of(Filter as ClassOf<Static<TObject<P>>>).orNull(`Lists only ${nouns} that match this filter.`),
  });
}
