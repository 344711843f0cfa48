import { tsImport } from 'tsx/esm/api';

/** Jest imports this file by itself, apart from the tests. */
const { default: run } = await tsImport('../global-setup.ts', import.meta.url);
export default run;
