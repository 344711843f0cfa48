import { tsImport } from 'tsx/esm/api';

/** Jest imports this file by itself, apart from the tests. */
const { default: run } = await tsImport('../global-teardown.ts', import.meta.url);
export default run;
