import { endWith } from './bin/explain.ts';
import { startTracing } from './bin/tracing.ts';
import { loadConfig } from './config/config.ts';

try {
  const config = loadConfig();
  const tracing = await startTracing(config);
  // Imported after tracing has started, because tracing patches libraries as they are loaded.
  const { serve } = await import('./bin/serve.ts');
  await serve(config, tracing);
} catch (error) {
  endWith(error);
}
