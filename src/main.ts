import { serve } from './bin/serve.ts';
import { ConfigError, loadConfig } from './config.ts';

try {
  await serve(loadConfig());
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`callboard: ${error.message}\n`);
  process.exitCode = 1;
}
