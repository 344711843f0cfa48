import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ConfigError } from '../src/config/config.ts';
import { createCertificate } from './support/certificate.ts';
import { configOf } from './support/config.ts';

/* How the parameters of a database URL that are about TLS are read. What PostgreSQL makes of that is in database-tls.pg.nightly. */

const folder = mkdtempSync(join(tmpdir(), 'callboard-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [server, client] = [createCertificate(), createCertificate()];
const fileOf = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
};
const files = {
  ca: fileOf('server.pem', server.cert),
  cert: fileOf('client.pem', client.cert),
  key: fileOf('client-key.pem', client.key),
  serverKey: fileOf('server-key.pem', server.key),
  noPem: fileOf('no.pem', 'PEM'),
};

type Parameters = Record<string, string>;

const urlWith = (parameters: Parameters) => {
  const url = new URL('postgres://callboard@db.example/callboard');
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

test.each<[string, Parameters, object | null]>([
  ['nothing encrypts nothing', {}, null],
  ['disable encrypts nothing', { sslmode: 'disable' }, null],
  ['require verifies nothing', { sslmode: 'require' }, { verifies: 'nothing' }],
  [
    'require with sslrootcert verifies the authority and not the host',
    { sslmode: 'require', sslrootcert: files.ca },
    { verifies: 'chain', ca: server.cert },
  ],
  ['verify-ca does so too', { sslmode: 'verify-ca', sslrootcert: files.ca }, { verifies: 'chain', ca: server.cert }],
  [
    'verify-full verifies the host as well',
    { sslmode: 'verify-full', sslrootcert: files.ca },
    { verifies: 'host', ca: server.cert },
  ],
  ['verify-full without a file trusts public authorities', { sslmode: 'verify-full' }, { verifies: 'host' }],
  ['system stands for those as well', { sslmode: 'verify-full', sslrootcert: 'system' }, { verifies: 'host' }],
  [
    'sslcert and sslkey are the certificate of the client',
    { sslmode: 'require', sslcert: files.cert, sslkey: files.key },
    { verifies: 'nothing', cert: client.cert, key: client.key },
  ],
])('%s', (_title, parameters, tls) => {
  expect(configOf({ DATABASE_URL: urlWith(parameters) }).db.tls).toEqual(tls);
});

test('the variables of libpq stand in for missing parameters', () => {
  const env = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: files.ca };
  expect(configOf({ DATABASE_URL: urlWith({}), ...env }).db.tls).toEqual({ verifies: 'host', ca: server.cert });
  const required = configOf({ DATABASE_URL: urlWith({ sslmode: 'require' }), PGSSLMODE: 'disable' });
  expect(required.db.tls).toEqual({ verifies: 'nothing' });
});

describe('refused at the start', () => {
  test.each<[string, Parameters]>([
    ['sslmode', { sslmode: 'prefer' }],
    ['sslmode', { sslmode: 'allow' }],
    ['sslmode', { sslmode: 'no-verify' }],
    ['sslmode', { sslmode: 'Require' }],
    ['sslmode', { sslrootcert: files.ca }],
    ['sslrootcert', { sslmode: 'verify-ca' }],
    ['verify-full', { sslmode: 'verify-ca', sslrootcert: 'system' }],
    ['verify-full', { sslmode: 'require', sslrootcert: 'system' }],
    ['sslrootcert', { sslmode: 'verify-full', sslrootcert: join(folder, 'absent.pem') }],
    ['sslrootcert', { sslmode: 'verify-full', sslrootcert: files.noPem }],
    ['sslkey', { sslmode: 'require', sslcert: files.cert }],
    ['sslkey', { sslmode: 'require', sslcert: files.cert, sslkey: files.serverKey }],
    ['sslcrl', { sslmode: 'verify-full', sslcrl: files.ca }],
    ['ssl', { ssl: 'true' }],
    ['uselibpqcompat', { sslmode: 'require', uselibpqcompat: 'true' }],
  ])('%s is named: %j', (name, parameters) => {
    const DATABASE_URL = Object.assign(new URL(urlWith(parameters)), { password: 'hidden' }).href;
    const load = () => configOf({ DATABASE_URL });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(new RegExp(`^DATABASE_URL is not valid: expected [^\\n]*\\b${name}\\b[^\\n]*\\.$`));
    expect(load).not.toThrow(/hidden/);
  });
});
