import { endWith } from './bin/explain.ts';
import { startService } from './bin/start-service.ts';
import { loadConfig } from './config/config.ts';

try {
  await startService(loadConfig());
} catch (error) {
  endWith(process, error);
}
