/** An event, as far as the list of events is filtered and sorted by it. */
interface ListedEvent {
  readonly id: string;
  readonly status?: string | null | undefined;
  readonly start?: { readonly utc: string | null } | null | undefined;
}

/** A page of changes to events. */
export interface ChangedEvents {
  readonly changes: readonly {
    readonly op: string;
    readonly nodeId: string;
    readonly node?: ListedEvent | null | undefined;
  }[];
}

const placeOf = ({ status, start }: ListedEvent) => `${status} ${start?.utc}`;

/** What the place of each row depends on. Take it when the list has been read: the cache changes its rows. */
export const placesOf = (rows: readonly ListedEvent[]): ReadonlyMap<string, string> =>
  new Map(rows.map((row) => [row.id, placeOf(row)]));

/**
 * Whether the list must be read again: at the start of a subscription (a page without changes), and when an event is new to it,
 * is gone, or may have another place.
 */
export function mustReadAgain({ changes }: ChangedEvents, places: ReadonlyMap<string, string>): boolean {
  if (changes.length === 0) return true;
  return changes.some(({ op, nodeId, node }) => op !== 'CHANGED' || !node || places.get(nodeId) !== placeOf(node));
}
