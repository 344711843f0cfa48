/** The rows that a caller sees: an admin sees all rows of the business, staff and clients see their own. */
export type Visibility = { readonly of: 'business' } | { readonly of: 'staff' | 'client'; readonly userId: number };
