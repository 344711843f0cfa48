import { endWith } from './bin/explain.ts';
import { startTracing } from './bin/tracing.ts';
import { loadConfig } from './config/config.ts';

try {
  const config = loadConfig();
  const tracing = await startTracing(config);
  // Only now: what is traced must not have been imported before.
  const { serve } = await import('./bin/serve.ts');
  await serve(config, tracing);
} catch (error) {
  endWith(error);
}
