/** True for `npm run test:nightly`, which runs the files `*.nightly.test.ts` in full. The gate runs them in a short form. */
export const isNightly = Boolean(process.env['TEST_NIGHTLY']);
