import { endWith } from './bin/explain.ts';
import { serve } from './bin/serve.ts';
import { loadConfig } from './config.ts';

try {
  await serve(loadConfig());
} catch (error) {
  endWith(error);
}
