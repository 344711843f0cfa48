import { fieldList, shown, type ResultOf } from './field-list.ts';

/** The group that a row of a report is about. All fields are null in the row of the total. */
export const reportGroupFields = fieldList({
  key: shown.text.orNull(
    'Key of the group: a local date (`YYYY-MM-DD`; of a week, its first day), a month (`YYYY-MM`), the UUID of an event, the number of a position or of a user, or the name of a venue; null for events without a client or a venue, and for open places among staff.',
  ),
  label: shown.text.orNull('Label of the group: the date, a title or a name; null where the key is.'),
  secondKey: shown.text.orNull('Key of the second thing that the report is grouped by; null if it is grouped by one.'),
  secondLabel: shown.text.orNull('Label of that thing; null where its key is.'),
});

export type ReportGroupRow = ResultOf<typeof reportGroupFields>;
