import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OfferState } from '../src/generated/prisma/enums.ts';
import { openStates, statesBefore, transitions } from '../src/services/offers-states.ts';

const states = Object.keys(transitions) as OfferState[];
/** Only an admin asks again, and only who answers late is on the waitlist then: nothing leaves these by itself. */
const byAnswerOnly: readonly OfferState[] = ['declined', 'filled', 'accepted'];
const ends = states.filter((state) => transitions[state].length === 0);

describe('the states of a part in an offer', () => {
  test('10,000 random paths end, in an end or in a state that only an answer leaves', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 50, maxLength: 50 }), (choices) => {
        let state: OfferState = 'sent';
        let again = 0;
        for (const choice of choices) {
          const next: readonly OfferState[] = transitions[state];
          if (next.length === 0) return;
          const to: OfferState = next[choice % next.length]!;
          expect(statesBefore(to)).toContain(state);
          // Who is asked again has answered before: an admin or the waitlist asks.
          if (to === 'sent') again += 1;
          state = to;
        }
        expect(again).toBeGreaterThan(0);
      }),
      { numRuns: 10_000, seed: 34 },
    );
  });

  test('each can be reached, and each open one ends by itself, by an admin and by the person', () => {
    const reached = new Set<OfferState>(['sent', ...states.flatMap((state) => transitions[state])]);
    expect([...reached].sort()).toEqual([...states].sort());
    for (const state of openStates)
      expect(transitions[state]).toEqual(expect.arrayContaining(['expired', 'withdrawn', 'declined']));
    expect(states.filter((state) => !openStates.includes(state) && !ends.includes(state)).sort()).toEqual(
      [...byAnswerOnly].sort(),
    );
  });
});
