import { formatUtc } from './wall-clock.ts';

/*
 * Instants are read and written once where they repeat. `created_at` and `updated_at` of a row that never changed are the same
 * text, so the reader of rows returns the same Date for both, and each writer below recognizes that Date and repeats its text.
 * Each of these functions remembers its last instant only. The Dates of rows are shared for this reason: never change one.
 *
 * Performance notes: src/guide/performance.md#instants
 */

/** Wraps a parser: the text that it was called with last gives the same Date again. */
export function rememberLastInstant(parse: (text: string) => Date): (text: string) => Date {
  let lastText = '';
  let lastInstant = new Date(NaN);
  return (text) => {
    if (text !== lastText) {
      lastInstant = parse(text);
      lastText = text;
    }
    return lastInstant;
  };
}

/** Wraps a formatter: the Date that it was called with last gives the same text again. */
function rememberLastText(format: (instant: Date) => string): (instant: Date) => string {
  let lastInstant: Date | null = null;
  let lastText = '';
  return (instant) => {
    if (instant !== lastInstant) {
      lastText = format(instant);
      lastInstant = instant;
    }
    return lastText;
  };
}

/** `2026-11-20T10:28:21.000Z`, as GraphQL answers. */
export const formatIso = rememberLastText((instant) => instant.toISOString());

/** `2026-11-20 10:28:21`, as the contract of REST answers. */
export const formatUtcStamp = rememberLastText(formatUtc);
