import { ObjectType } from 'type-graphql';
import { field, objectWith } from './shapes.ts';

/** Fields that the groups of every report have. */
@ObjectType()
export class ReportGroup extends objectWith({
  key: field.text.orNull(
    'Key of the group: a local date (`YYYY-MM-DD`; of a week, its first day), a month (`YYYY-MM`), the UUID of an event, the `databaseId` of a position or of a user, or the name of a venue; null for events without a client or a venue, and for open places among staff.',
  ),
  label: field.text.orNull('Label of the group: the date, a title or a name; null where the key is.'),
  secondKey: field.text.orNull('Key of the second thing that the report is grouped by; null if it is grouped by one.'),
  secondLabel: field.text.orNull('Label of that thing; null where its key is.'),
}) {}
