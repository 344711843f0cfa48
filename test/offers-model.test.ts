import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OfferState, SwapState } from '../src/generated/prisma/enums.ts';
import { openStates, statesLeadingTo, transitions } from '../src/services/offers-states.ts';
import { swapTransitions } from '../src/services/swaps-states.ts';

type States = Readonly<Record<string, readonly string[]>>;

/** Only an admin asks again, and only who answers late is on the waitlist then: nothing leaves these by itself. */
const byAnswerOnly: readonly OfferState[] = ['declined', 'filled', 'accepted'];

const endsOf = (table: States) => Object.keys(table).filter((state) => table[state]!.length === 0);

describe.each<[string, States, string]>([
  ['a part in an offer', transitions, 'sent'],
  ['a swap', swapTransitions, 'requested'],
])('the states of %s', (_what, table, first) => {
  test('10,000 random paths end, in an end or in a state that only an answer leaves', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 50, maxLength: 50 }), (choices) => {
        let state = first;
        let again = 0;
        for (const choice of choices) {
          const next = table[state]!;
          if (next.length === 0) return;
          const to = next[choice % next.length]!;
          expect(statesLeadingTo(table, to)).toContain(state);
          // Who is asked again has answered before: an admin or the waitlist asks.
          if (to === first) again += 1;
          state = to;
        }
        expect(again).toBeGreaterThan(0);
      }),
      { numRuns: 10_000, seed: 34 },
    );
  });

  test('each can be reached', () => {
    const reached = new Set([first, ...Object.values(table).flat()]);
    expect([...reached].sort()).toEqual(Object.keys(table).sort());
  });
});

test('each open part in an offer ends by itself, by an admin and by the person', () => {
  for (const state of openStates)
    expect(transitions[state]).toEqual(expect.arrayContaining(['expired', 'withdrawn', 'declined']));
  const left = (Object.keys(transitions) as OfferState[]).filter(
    (state) => !openStates.includes(state) && !endsOf(transitions).includes(state),
  );
  expect(left.sort()).toEqual([...byAnswerOnly].sort());
});

test('each open swap ends by itself, by a change of a shift, by an admin and by both people', () => {
  const open = (Object.keys(swapTransitions) as SwapState[]).filter((state) => swapTransitions[state].length > 0);
  expect(open).toEqual(['requested', 'taken']);
  for (const state of open)
    expect(swapTransitions[state]).toEqual(expect.arrayContaining(['expired', 'void', 'refused', 'canceled']));
});
