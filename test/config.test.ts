import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { adviseForProduction, findDangers } from '../src/config/advice.ts';
import { ConfigError, findConfigFaults, loadConfig } from '../src/config/config.ts';
import { settings } from '../src/config/settings.ts';
import { createCertificate } from './support/certificate.ts';

const secret = 'x'.repeat(32);
const folder = mkdtempSync(join(tmpdir(), 'callboard-config-'));
const ours = createCertificate();
const fileOf = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const cert = fileOf('cert.pem', ours.cert);
const key = fileOf('key.pem', ours.key);
const otherKey = fileOf('other-key.pem', createCertificate().key);
const pem = fileOf('some.pem', 'PEM');

afterAll(() => rmSync(folder, { recursive: true }));

const complaint = (env: Record<string, string>): string => {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return 'none';
};

describe('without any setting', () => {
  test('the service uses the embedded database, listens on loopback and has the documented limits', () => {
    expect(loadConfig({})).toMatchObject({
      env: 'development',
      demo: true,
      http: { host: '127.0.0.1', port: 4000, trustProxy: [], tls: null, bodyLimitBytes: 262_144 },
      db: { url: null, dataDir: '.callboard', poolSize: 10 },
      redis: { url: null, timeoutMs: 100 },
      auth: { secrets: [], hashConcurrency: 2, hashQueue: 100 },
      rateLimits: {
        anonymousPerMinute: 120,
        byPlan: { free: 60, basic: 120, professional: 300, enterprise: 1000 },
      },
      log: { level: 'info', format: 'auto' },
    });
  });

  test('every default is accepted by its own setting', () => {
    for (const [name, setting] of Object.entries(settings)) {
      expect(setting.meaning).toMatch(/\.$/);
      expect(complaint({ [name]: setting.default })).toBe('none');
    }
  });

  test('the configuration is frozen', () => {
    const config = loadConfig({}) as { http: { port: number } };
    expect(() => (config.http.port = 1)).toThrow(TypeError);
  });
});

describe('a good setting', () => {
  test.each([
    [{ PORT: '0' }, { http: { port: 0 } }],
    [{ PORT: ' 8080 ' }, { http: { port: 8080 } }],
    [{ PORT: '' }, { http: { port: 4000 } }],
    [{ HOST: '0.0.0.0' }, { http: { host: '0.0.0.0' } }],
    [{ DEMO: 'false' }, { demo: false }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { http: { trustProxy: ['10.0.0.0/8', '::1'] } }],
    [{ REDIS_URL: 'rediss://cache:6379/1' }, { redis: { url: 'rediss://cache:6379/1' } }],
    [{ JWT_SECRETS: `new:${secret}, old:${secret}:2` }, { auth: { secrets: [{ kid: 'new' }, { kid: 'old' }] } }],
    [{ JWT_SECRETS: `a:${'\u00e9'.repeat(16)}` }, { auth: { secrets: [{ kid: 'a' }] } }],
    [{ TLS_CERT: cert, TLS_KEY: key }, { http: { tls: ours } }],
    [
      { CORS_ORIGINS: 'https://a.example, http://localhost:5173' },
      { http: { corsOrigins: ['https://a.example', 'http://localhost:5173'] } },
    ],
    [{ CALLBOARD_ANSWER_TIMEOUT: '200', CALLBOARD_EXPORT_TIMEOUT: '300' }, { http: { answerTimeoutMs: 300 } }],
    [{ CALLBOARD_DB_POOL: '1000' }, { db: { poolSize: 1000 } }],
    [{ PATH: '/bin', LANG: 'C' }, { http: { port: 4000 } }],
  ])('is read: %j', (env, expected) => {
    expect(loadConfig(env as Record<string, string>)).toMatchObject(expected);
  });

  test('keeps a colon in a secret', () => {
    expect(loadConfig({ JWT_SECRETS: `a:${secret}:b` }).auth.secrets).toEqual([{ kid: 'a', secret: `${secret}:b` }]);
  });
});

describe('a bad setting is refused in one line that names it', () => {
  const withSecret = { JWT_SECRETS: `a:${secret}` };

  test.each<[string, Record<string, string>]>([
    ['PORT', { PORT: 'abc' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '80.5' }],
    ['PORT', { PORT: '0x50' }],
    ['PORT', { PORT: '1e3' }],
    ['NODE_ENV', { NODE_ENV: 'prod' }],
    ['DEMO', { DEMO: 'yes' }],
    ['DATABASE_URL', { ...withSecret, DATABASE_URL: 'mysql://127.0.0.1/x' }],
    ['DATABASE_URL', { ...withSecret, DATABASE_URL: 'localhost' }],
    ['DATABASE_READ_URLS', { ...withSecret, DATABASE_URL: 'postgres://a/x', DATABASE_READ_URLS: 'mysql://b/x' }],
    ['DATABASE_READ_URLS', { ...withSecret, DATABASE_URL: 'postgres://a/x', DATABASE_READ_URLS: 'postgres://b/x,' }],
    ['DATABASE_READ_URLS', { DATABASE_READ_URLS: 'postgres://b/x' }],
    [
      'DATABASE_READ_URLS',
      { ...withSecret, DATABASE_URL: 'postgres://a/x', DATABASE_READ_URLS: 'postgres://b/x?sslmode=prefer' },
    ],
    ['REDIS_URL', { REDIS_URL: 'http://127.0.0.1' }],
    ['REDIS_URL', { REDIS_URL: '127.0.0.1:6379' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.1,,10.0.0.2' }],
    ['TRUST_PROXY', { TRUST_PROXY: '::1/129' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['LOG_FORMAT', { LOG_FORMAT: 'xml' }],
    ['TLS_CERT', { TLS_CERT: join(folder, 'absent.pem'), TLS_KEY: pem }],
    ['TLS_KEY', { TLS_CERT: pem }],
    ['TLS_CERT', { TLS_CERT: pem, TLS_KEY: key }],
    ['TLS_KEY', { TLS_CERT: cert, TLS_KEY: pem }],
    ['TLS_KEY', { TLS_CERT: cert, TLS_KEY: otherKey }],
    ['CORS_ORIGINS', { CORS_ORIGINS: '*' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'null' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'app.example' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://app.example/' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://app.example:443' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://*.example' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://APP.example' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://a.example,,https://b.example' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'ftp://app.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://staff.example/base/?a=1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://staff.example/?' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://staff.example#there' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://ann:hidden@staff.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://@staff.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://staff.example' }],
    ['TLS_CERT', { TLS_KEY: pem }],
    ['JWT_SECRETS', { JWT_SECRETS: `a:${'x'.repeat(31)}` }],
    ['JWT_SECRETS', { JWT_SECRETS: `a:${secret},b:short` }],
    ['JWT_SECRETS', { JWT_SECRETS: secret }],
    ['JWT_SECRETS', { JWT_SECRETS: `:${secret}` }],
    ['JWT_SECRETS', { JWT_SECRETS: `a b:${secret}` }],
    ['JWT_SECRETS', { JWT_SECRETS: `a:${secret},a:${secret}2` }],
    ['JWT_SECRETS', { JWT_SECRETS: `a:${secret},` }],
    ['JWT_SECRETS', { DATABASE_URL: 'postgresql://127.0.0.1/x' }],
    ['CALLBOARD_HASH_CONCURRENCY', { CALLBOARD_HASH_CONCURRENCY: '0' }],
    ['CALLBOARD_BODY_LIMIT', { CALLBOARD_BODY_LIMIT: '1023' }],
    ['CALLBOARD_REDIS_TIMEOUT', { CALLBOARD_REDIS_TIMEOUT: '100ms' }],
    ['CALLBOARD_DB_POLL', { CALLBOARD_DB_POLL: '10' }],
    ['CALLBOARD_port', { CALLBOARD_port: '10' }],
    ['CALLBOARD_PORT', { CALLBOARD_PORT: '8080' }],
    ['HOST', { HOST: '0.0.0.0:4000' }],
    ['HOST', { HOST: 'http://callboard.example' }],
    ['METRICS_PORT', { METRICS_PORT: '4000' }],
    ['METRICS_PORT', { PORT: '9100', METRICS_PORT: '9100' }],
    ['DATABASE_URL', { NODE_ENV: 'production' }],
    ['DATABASE_URL', { NODE_ENV: 'production', DATA_DIR: ' ', DEMO: 'true' }],
  ])('%s in %j', (name, env) => {
    const message = complaint(env);
    expect(message).toContain(name);
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(200);
  });

  /** Where one bounds another: room for all of its range. */
  const room: Record<string, Record<string, string>> = {
    CALLBOARD_SHUTDOWN_TIMEOUT: { CALLBOARD_DRAIN_DELAY: '0' },
    CALLBOARD_DRAIN_DELAY: { CALLBOARD_SHUTDOWN_TIMEOUT: '600000' },
  };

  test.each(Object.entries(settings).filter(([, { type }]) => type.startsWith('integer')))(
    '%s outside its own range',
    (name, { type }) => {
      const [, min, max] = /(\d+)-(\d+)/.exec(type)!.map(Number) as [number, number, number];
      expect(complaint({ [name]: String(min), ...room[name] })).toBe('none');
      expect(complaint({ [name]: String(max), ...room[name] })).toBe('none');
      expect(complaint({ [name]: String(max + 1), ...room[name] })).toContain(name);
    },
  );

  test('without showing a secret', () => {
    expect(complaint({ JWT_SECRETS: 'a:hunter2-hunter2' })).not.toContain('hunter2');
    expect(complaint({ ...withSecret, DATABASE_URL: 'mysql://me:hunter2@127.0.0.1/x' })).not.toContain('hunter2');
  });
});

describe('a setting from a file', () => {
  const url = 'postgresql://me:hunter2@127.0.0.1/x';

  test('is what the file holds, without the end of its last line', () => {
    const env = {
      DATABASE_URL_FILE: fileOf('database-url', `${url}\n`),
      DATABASE_READ_URLS_FILE: fileOf('read-urls', `${url}1,\n${url}2?sslmode=require\n`),
      JWT_SECRETS_FILE: fileOf('jwt-secrets', `a:${secret}\r\n`),
      CALLBOARD_DB_POOL_FILE: fileOf('pool', '7'),
      METRICS_TOKEN_FILE: '',
    };
    expect(loadConfig(env)).toMatchObject({
      db: {
        url,
        replicas: [
          { url: `${url}1`, tls: null },
          { url: `${url}2`, tls: { verifies: 'nothing' } },
        ],
        poolSize: 7,
      },
      auth: { secrets: [{ kid: 'a', secret }] },
      metrics: { token: null },
    });
    expect(findConfigFaults(env)).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['PORT_FILE and PORT are both set: set one of them.', { PORT: '1', PORT_FILE: fileOf('port', '2') }],
    ['DATABASE_URL_FILE is not valid: expected', { DATABASE_URL_FILE: join(folder, 'hunter2') }],
    ['DATABASE_URL_FILE is not valid: expected', { DATABASE_URL_FILE: folder }],
    ['DATABASE_URL_FILE is not valid: expected', { DATABASE_URL_FILE: fileOf('empty', ' \n') }],
    ['JWT_SECRETS_FILE is not valid: expected', { DATABASE_URL: url, JWT_SECRETS_FILE: join(folder, 'absent') }],
    ['JWT_SECRETS is not valid: expected', { DATABASE_URL: url, JWT_SECRETS_FILE: fileOf('short', 'a:hunter2') }],
    ['TLS_KEY_FILE is not a setting: TLS_KEY', { TLS_CERT: cert, TLS_KEY_FILE: key }],
    ['CALLBOARD_DB_POLL_FILE is not a setting', { CALLBOARD_DB_POLL_FILE: fileOf('poll', '7') }],
    ['CALLBOARD_FILE is not a setting', { CALLBOARD_FILE: '7' }],
  ])('%s', (message, env) => {
    const faults = findConfigFaults(env);
    expect(faults).toEqual([complaint(env)]);
    expect(faults[0]).toContain(message);
    expect(faults[0]).not.toMatch(/hunter2|\n/);
  });
});

describe('a setting that has no effect any more', () => {
  const env = { CALLBOARD_TZ_DATA: 'system', CALLBOARD_TZ_DIR_FILE: '/nowhere', CALLBOARD_TZ_DIR: '' };

  test('is accepted with a warning, whatever its value', () => {
    expect(findConfigFaults(env)).toEqual([]);
    const warnings = ['CALLBOARD_TZ_DATA', 'CALLBOARD_TZ_DIR_FILE'].map((name) =>
      expect.stringContaining(`${name} has no effect`),
    );
    expect(loadConfig(env).warnings).toEqual(warnings);
    expect(adviseForProduction(loadConfig(env))).toEqual(expect.arrayContaining(warnings));
    expect(loadConfig({}).warnings).toEqual([]);
  });
});

describe('a name that is nearly that of a setting', () => {
  test.each<[string, Record<string, string>, string]>([
    ['two letters swapped', { DATABASE_ULR: 'postgres://a/x' }, 'DATABASE_URL'],
    ['one too few', { JWT_SECRET: 'hidden' }, 'JWT_SECRETS'],
    ['one too few', { METRIC_PORT: '9100' }, 'METRICS_PORT'],
    ['one too many', { TRUST_PROXYS: '::1' }, 'TRUST_PROXY'],
    ['another one', { REDIS_URI: 'redis://a' }, 'REDIS_URL'],
    ['another case', { database_url: 'postgres://a/x' }, 'DATABASE_URL'],
    ['of a file', { DATABASE_ULR_FILE: '/run/secrets/url' }, 'DATABASE_URL_FILE'],
    ['of a file', { JWT_SECRET_FILE: '/run/secrets/jwt' }, 'JWT_SECRETS_FILE'],
    ['with the prefix', { CALLBOARD_DB_POLL: '10' }, 'CALLBOARD_DB_POOL'],
  ])('is refused with the right one: %s, %j', (_, env, right) => {
    const [name] = Object.keys(env);
    const message = `${name} is not a setting of Callboard. Did you mean ${right}?`;
    expect(complaint(env)).toBe(message);
    expect(findConfigFaults(env)).toEqual([message]);
  });

  test.each<[string, Record<string, string>]>([
    ['the right one is set', { REDIS_URI: 'redis://a', REDIS_URL: 'redis://a' }],
    ['the right one is set by a file', { JWT_SECRET: 'x', JWT_SECRETS_FILE: fileOf('secrets', `a:${secret}`) }],
    ['it is short', { POST: '80', HOSTS: 'a', DEMOS: 'x', TLS_KEYS: 'x' }],
    ['two letters differ', { DATABASE_URI_X: 'x', LOG_LABEL1: 'x' }],
    ['it is empty', { DATABASE_ULR: ' ' }],
  ])('is somebody else’s if %s', (_, env) => {
    expect(complaint(env)).toBe('none');
  });

  test.each([
    { METRIC_PORT: 'tcp://10.0.0.1:9100' },
    { CALLBOARD_PORT: 'tcp://10.0.0.1:80' },
    { CALLBOARD_PORT_80_TCP: 'tcp://10.0.0.1:80' },
    { CALLBOARD_PORT_80_TCP_ADDR: '10.0.0.1' },
    { CALLBOARD_SERVICE_HOST: '10.0.0.1' },
    { CALLBOARD_SERVICE_PORT_HTTP: '80' },
  ])('is warned of if Kubernetes may have set it: %j', (env) => {
    const config = loadConfig(env as unknown as Record<string, string>);
    expect(findDangers(config)).toEqual([expect.stringContaining(`${Object.keys(env)[0]} is not a setting`)]);
  });
});

describe('production', () => {
  test('uses the embedded database only in a folder that is named, and without a demo', () => {
    const config = loadConfig({ NODE_ENV: 'production', DATA_DIR: '/srv/callboard', DEMO: 'true' });
    expect(config).toMatchObject({ demo: false, db: { url: null, dataDir: '/srv/callboard' } });
    expect(findConfigFaults({ NODE_ENV: 'production' })).toEqual([complaint({ NODE_ENV: 'production' })]);
  });
});

test.each([
  ['TRUST_PROXY', '0.0.0.0/0', true],
  ['TRUST_PROXY', '127.0.0.1,128.0.0.0/1', true],
  ['TRUST_PROXY', '::/0', true],
  ['TRUST_PROXY', '8000::/1', true],
  ['TRUST_PROXY', '::ffff:0:0/96', true],
  ['TRUST_PROXY', '10.0.0.0/8,fc00::/7,fe80::/10,::1', false],
  ['CALLBOARD_WEBHOOK_ALLOW', '0.0.0.0/0', true],
  ['CALLBOARD_WEBHOOK_ALLOW', '10.1.0.0/16', false],
])('%s=%s: a range as wide as the internet is advised against', (name, value, isWide) => {
  const config = loadConfig({ [name]: value });
  const told = isWide ? [expect.stringMatching(new RegExp(`^${name} `))] : [];
  expect(findDangers(config)).toEqual(told);
  expect(adviseForProduction(config)).toEqual(expect.arrayContaining(told));
});

describe('all faults at once', () => {
  test('are found, and hold no value of a setting', () => {
    const faults = findConfigFaults({
      PORT: 'hidden-port',
      DATABASE_URL: 'postgres://user:hidden@db.example/one?sslmode=prefer',
      JWT_SECRETS: 'kid:hidden-and-short',
      CALLBOARD_COLOUR: 'hidden',
      TLS_CERT: '/nowhere/hidden.pem',
      CALLBOARD_DRAIN_DELAY: '60000',
    });
    const named = ['CALLBOARD_COLOUR', 'PORT', 'JWT_SECRETS', 'TLS_CERT', 'DATABASE_URL', 'CALLBOARD_DRAIN_DELAY'];
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(named);
    expect(faults.join()).not.toContain('hidden');
  });

  test('are none where a configuration can be loaded', () => {
    expect(findConfigFaults({})).toEqual([]);
  });
});

describe('advice for production', () => {
  const secrets = { JWT_SECRETS: `one:${'x'.repeat(32)}` };

  test('names what the defaults lack', () => {
    expect(adviseForProduction(loadConfig({})).map((text) => text.split(/[ :,=]/)[0])).toEqual([
      'NODE_ENV',
      'DATABASE_URL',
      'DEMO',
      'TLS_CERT',
      'CALLBOARD_REFUSE_COMMON_PASSWORDS',
      'REDIS_URL',
      'METRICS_PORT',
    ]);
  });

  test('asks for TLS to a database on another machine only', () => {
    const adviceFor = (url: string) => adviseForProduction(loadConfig({ ...secrets, DATABASE_URL: url })).join();
    expect(adviceFor('postgres://callboard:hidden@db.example/one')).toContain('sslmode=verify-full');
    expect(adviceFor('postgres://callboard:hidden@db.example/one')).not.toContain('hidden');
    expect(adviceFor('postgres://callboard@127.0.0.1/one')).not.toContain('sslmode');
    expect(adviceFor('postgres://callboard@db.example/one?sslmode=verify-full')).not.toContain('sslmode');
  });

  test('asks for TLS to a replica on another machine as well', () => {
    const env = { ...secrets, DATABASE_URL: 'postgres://callboard@127.0.0.1/one' };
    const adviceFor = (urls: string) => adviseForProduction(loadConfig({ ...env, DATABASE_READ_URLS: urls })).join();
    expect(adviceFor('postgres://127.0.0.1/one,postgres://me:hidden@db.example/one')).toContain('DATABASE_READ_URLS');
    expect(adviceFor('postgres://me:hidden@db.example/one')).not.toContain('hidden');
    expect(adviceFor('postgres://127.0.0.1:5001/one')).not.toContain('DATABASE_READ_URLS');
  });

  test('asks for https in links of mails, but not to this machine', () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'no-reply@staff.example' };
    const adviceFor = (PUBLIC_URL: string) => adviseForProduction(loadConfig({ ...mail, PUBLIC_URL })).join();
    expect(adviceFor('http://staff.example/base')).toContain('PUBLIC_URL with https');
    for (const fine of ['https://staff.example', 'http://localhost:4000', 'http://127.0.0.1', 'http://[::1]:4000/'])
      expect(adviceFor(fine)).not.toContain('PUBLIC_URL');
  });

  test('is empty for the example of the operators\u2019 guide behind a proxy', () => {
    const config = loadConfig({
      ...secrets,
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://callboard@127.0.0.1/one',
      REDIS_URL: 'redis://127.0.0.1:6379',
      TRUST_PROXY: '127.0.0.1',
      METRICS_PORT: '9100',
      CALLBOARD_REFUSE_COMMON_PASSWORDS: 'true',
    });
    expect(adviseForProduction(config)).toEqual([]);
  });
});
