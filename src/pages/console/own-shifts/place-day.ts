/** An instant or a wall-clock time as text that sorts by time; null: to be determined. */
type At = string | null | undefined;

interface Times {
  readonly start: At;
  readonly end: At;
}

/**
 * The start of a shift or, while that is to be determined, a time of its day: that of its call time, or else its own end, or else that of
 * its event. It is the rule of `placeTimes` in db/place-times.ts, for pages.
 */
export function startOfPlace(own: Times, callTimeStart: At, eventStart: string): string {
  if (own.start) return own.start;
  const known = [callTimeStart, own.end].flatMap((at) => at ?? []);
  return known.length > 0 ? known.reduce((one, other) => (one < other ? one : other)) : eventStart;
}
