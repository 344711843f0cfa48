import Sequencer from '@jest/test-sequencer';

/** Starts long test files first; started last, they would run alone at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => /\.(long|nightly|tools)\.test\.ts$/.test(path);
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
