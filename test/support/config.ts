import { loadConfig, type Config } from '../../src/config/config.ts';

export const signingSecret = 'a-signing-secret-for-tests-alone-0123456789';

/** A configuration as the environment would give it. */
export const configOf = (env: Record<string, string> = {}): Config =>
  loadConfig({
    NODE_ENV: 'test',
    CALLBOARD_BLOCKED: '600000',
    LOG_LEVEL: 'silent',
    JWT_SECRETS: `test:${signingSecret}`,
    ...env,
  });
