/** The events that a screen shows: those for which all that is not null holds. */
export interface ScreenFilter {
  readonly clientId: number | null;
  /** Only events, call times and shifts of this position. */
  readonly positionId: number | null;
  /** In upper or lower case. */
  readonly city: string | null;
  /** Text that the title, the venue or the city contains, in upper or lower case. */
  readonly text: string | null;
}

/**
 * The rows that a caller sees: an admin sees all rows of the business, staff and clients see their own, and a screen the
 * active events of its filter.
 */
export type Visibility =
  | { readonly of: 'business' }
  | { readonly of: 'staff' | 'client'; readonly userId: number }
  | { readonly of: 'screen'; readonly filter: ScreenFilter };
