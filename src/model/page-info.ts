import { ObjectType } from 'type-graphql';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description: 'Position of a page in the whole list. A list that is read by cursor has no page numbers.',
})
export class PageInfo extends objectWith({
  page: field.int.orNull('Number of this page, from 1; null when read by cursor.'),
  perPage: field.int.orNull('Items per page; null when read by cursor.'),
  lastPage: field.int.orNull('Number of the last page, at least 1; null when read by cursor. Counts the whole list.', {
    simple: false,
  }),
  hasNextPage: field.flag('Whether there is a page after this one.'),
  hasPreviousPage: field.flag('Whether there is a page before this one.'),
  startCursor: field.text.orNull('Cursor of the first item of this page; null if the page is empty.'),
  endCursor: field.text.orNull(
    'Cursor of the last item of this page, to be sent as `after` for the next one; null if the page is empty.',
  ),
}) {}
