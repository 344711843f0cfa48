import type { ZonedTimeValue } from '../time/zoned-time.ts';
import { changeKinds } from './change-kinds.ts';
import type { historyChanges } from './codes.ts';

/** Kinds of rows in the history and what they are. The value of a custom field, and a requirement, are rows of their own here. */
export const historyKinds = {
  ...changeKinds,
  customField: 'A custom field, as the business defines it.',
  event: 'An event.',
  customFieldValue: 'The value of a custom field on an event.',
  requirement: 'A qualification that a position or a call time requires.',
  other: 'A row of a kind that this version of the service does not know: another version has changed it.',
} as const;
export type HistoryKind = keyof typeof historyKinds;

export const historyKindNames = Object.keys(historyKinds) as HistoryKind[];

/** Kinds of callers in the history, and who they are. */
export const historyActors = {
  user: 'A user.',
  apiKey: 'A business API key.',
  operator: 'The operator of the service, on the command line.',
  other: 'A caller of a kind that this version of the service does not know.',
} as const;
export type HistoryActor = keyof typeof historyActors;

export const historyActorNames = Object.keys(historyActors) as HistoryActor[];

export type HistoryChange = keyof typeof historyChanges;

/** A value as JSON: wall-clock times, instants and amounts are text. */
export type HistoryValue = string | number | boolean | null | readonly string[];

/** A field that a change set, and its values. Null before in a new row, and after in a deleted one. */
export interface HistoryField {
  readonly name: string;
  /** Whether the values are those of an enum, which GraphQL spells in capitals. */
  readonly isEnum: boolean;
  readonly before: HistoryValue;
  readonly after: HistoryValue;
  /** Names of the rows that the two values are the ids of. Null for all other fields, and for rows that are gone. */
  readonly beforeName: string | null;
  readonly afterName: string | null;
}

/** One changed row of one commit. */
export interface HistoryEntry {
  readonly at: Date;
  /** The time at the event that the row is, or belongs to. */
  readonly atEvent: ZonedTimeValue | null;
  readonly actorKind: HistoryActor | null;
  readonly actorId: number | null;
  readonly actorName: string | null;
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly revision: string;
  readonly kind: HistoryKind;
  readonly rowId: number;
  readonly rowUuid: string | null;
  readonly rowName: string | null;
  readonly eventId: number | null;
  readonly eventUuid: string | null;
  readonly eventTitle: string | null;
  readonly change: HistoryChange;
  readonly fields: readonly HistoryField[];
}
