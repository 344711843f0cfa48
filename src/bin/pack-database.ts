import { loadConfig } from '../config/config.ts';
import { packEmptyDatabase } from './packed-database.ts';

/** Part of `npm run build`. The pack contains nothing from the environment or the machine. */
await packEmptyDatabase(loadConfig({}, { signsTokens: false }).db);
