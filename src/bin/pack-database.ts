import { loadConfig } from '../config/config.ts';
import { packEmptyDatabase } from '../db/engine/pack.ts';

/** Part of `npm run build`. Nothing of the environment, or of the machine, comes into the pack. */
await packEmptyDatabase(loadConfig({}, { signsTokens: false }).db);
