/* Stands for `@jest/globals`. Modules that stay loaded see the functions of the test file that runs. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

/** Before each test file. */
export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
