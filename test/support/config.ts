import { loadConfig, type Config } from '../../src/config/config.ts';

export const signingSecret = 'a-signing-secret-for-tests-alone-0123456789';

/** The environment of a service under test. */
export const envOf = (env: Record<string, string> = {}): Record<string, string> => ({
  NODE_ENV: 'test',
  CALLBOARD_BLOCKED: '600000',
  // Nothing ends early because the machine is busy.
  CALLBOARD_DB_STATEMENT_TIMEOUT: '60000',
  CALLBOARD_DB_QUERY_TIMEOUT: '60000',
  CALLBOARD_DB_TRANSACTION_TIMEOUT: '60000',
  // The services of all tests share the connections of one server.
  CALLBOARD_DB_IDLE_TIMEOUT: '10000',
  CALLBOARD_REDIS_TIMEOUT: '10000',
  LOG_LEVEL: 'silent',
  // In production, the embedded database has to have a name. Tests open one in memory instead.
  DATA_DIR: '.callboard',
  JWT_SECRETS: `test:${signingSecret}`,
  ...env,
});

export const configOf = (env: Record<string, string> = {}): Config => loadConfig(envOf(env));

/** The settings of a service that sends mails, to a server or to none. */
export const mailEnv = (url = 'smtp://127.0.0.1:9') => ({
  SMTP_URL: url,
  MAIL_FROM: 'no-reply@callboard.example',
  PUBLIC_URL: 'https://staff.callboard.example/',
});
