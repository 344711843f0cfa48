import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isUnreachable } from '../src/db/engine/failures.ts';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import { createCertificate } from './support/certificate.ts';
import { ownerOf, startCluster, type Cluster } from './support/cluster.ts';
import { configOf, signingSecret } from './support/config.ts';
import { startProcess, stopAll } from './support/process.ts';

/* The parameters of a database URL that are about TLS mean what they mean to libpq. What they are read as, and what is refused, is in database-tls. */

/** Its certificate names 127.0.0.1 and localhost, and not 127.0.0.2, where it listens as well. */
let cluster: Cluster;
const folder = mkdtempSync(join(tmpdir(), 'callboard-tls-'));
const server = createCertificate();
const client = createCertificate();
const fileOf = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
};
const files = {
  ca: fileOf('server.pem', server.cert),
  otherCa: fileOf('other.pem', createCertificate().cert),
  cert: fileOf('client.pem', client.cert),
  key: fileOf('client-key.pem', client.key),
  serverKey: fileOf('server-key.pem', server.key),
};

beforeAll(async () => {
  const { uid, gid } = ownerOf(folder);
  if (uid !== undefined && gid !== undefined)
    for (const path of Object.values(files)) if (statSync(path).uid !== uid) chownSync(path, uid, gid);
  cluster = await startCluster({
    listen_addresses: '127.0.0.1,127.0.0.2',
    ssl: 'on',
    ssl_cert_file: files.ca,
    ssl_key_file: files.serverKey,
    ssl_ca_file: files.cert,
  });
});
afterAll(async () => {
  stopAll();
  await cluster.close();
  rmSync(folder, { recursive: true });
});

type Parameters = Record<string, string>;

const urlWith = (parameters: Parameters, host = '127.0.0.1') => {
  const url = new URL(cluster.url.replace('127.0.0.1', host));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** Whether the connection is encrypted, and by which certificate the client is known; or the error. */
async function connect(DATABASE_URL: string, env: Parameters = {}) {
  const database = await openDatabase(configOf({ DATABASE_URL, CALLBOARD_DB_CONNECT_TIMEOUT: '30000', ...env }).db);
  try {
    const sql = Prisma.sql`SELECT ssl, client_dn AS client FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
    const [session] = await database.read<{ ssl: boolean; client: string | null }>(sql);
    return session;
  } catch (error) {
    expect(isUnreachable(error)).toBe(true);
    return 'refused';
  } finally {
    await database.close();
  }
}

const encrypted = { ssl: true, client: null };
const plain = { ssl: false, client: null };

test.each<[string, Parameters, object | string, string | null]>([
  ['nothing encrypts nothing', {}, plain, null],
  ['disable encrypts nothing', { sslmode: 'disable' }, plain, null],
  ['require verifies nothing', { sslmode: 'require' }, encrypted, '127.0.0.2'],
  [
    'require with sslrootcert verifies the authority',
    { sslmode: 'require', sslrootcert: files.otherCa },
    'refused',
    null,
  ],
  ['and not the host', { sslmode: 'require', sslrootcert: files.ca }, encrypted, '127.0.0.2'],
  ['verify-ca verifies the authority', { sslmode: 'verify-ca', sslrootcert: files.otherCa }, 'refused', null],
  ['verify-ca does not verify the host', { sslmode: 'verify-ca', sslrootcert: files.ca }, encrypted, '127.0.0.2'],
  ['verify-full accepts what is right', { sslmode: 'verify-full', sslrootcert: files.ca }, encrypted, null],
  ['verify-full verifies the host', { sslmode: 'verify-full', sslrootcert: files.ca }, 'refused', '127.0.0.2'],
  ['verify-full verifies the authority', { sslmode: 'verify-full', sslrootcert: files.otherCa }, 'refused', null],
  ['verify-full without a file trusts public authorities', { sslmode: 'verify-full' }, 'refused', null],
  ['system stands for those as well', { sslmode: 'verify-full', sslrootcert: 'system' }, 'refused', null],
  [
    'sslcert and sslkey are the certificate of the client',
    { sslmode: 'require', sslcert: files.cert, sslkey: files.key },
    { ssl: true, client: '/CN=Callboard test' },
    null,
  ],
])('%s', async (_title, parameters, expected, host) => {
  expect(await connect(urlWith(parameters, host ?? '127.0.0.1'))).toEqual(expected);
});

test('the variables of libpq stand in for missing parameters', async () => {
  const env = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: files.ca };
  expect(await connect(urlWith({}), env)).toEqual(encrypted);
  expect(await connect(urlWith({}, '127.0.0.2'), env)).toBe('refused');
  expect(await connect(urlWith({ sslmode: 'require' }), { PGSSLMODE: 'disable' })).toEqual(encrypted);
});

test('the service starts without a warning of a library', async () => {
  const service = await startProcess({
    DATABASE_URL: urlWith({ sslmode: 'require' }),
    JWT_SECRETS: `test:${signingSecret}`,
  });
  expect(service.output()).not.toMatch(/warning/i);
  await service.stop();
});
