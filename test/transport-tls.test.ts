import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type SecureVersion, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import { createCertificate } from './support/certificate.ts';
import { refusedStart, stopAll } from './support/process.ts';
import { exchange, written } from './support/wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'callboard-tls-'));
const pathOf = (name: string) => join(folder, name);
const ours = createCertificate();

let service: TestApp;
let port: number;

beforeAll(async () => {
  writeFileSync(pathOf('cert.pem'), ours.cert);
  writeFileSync(pathOf('key.pem'), ours.key);
  writeFileSync(pathOf('other-key.pem'), createCertificate().key);
  writeFileSync(pathOf('no.pem'), 'no PEM');
  service = await startApp({
    env: { NODE_ENV: 'production', TLS_CERT: pathOf('cert.pem'), TLS_KEY: pathOf('key.pem') },
  });
  port = Number(new URL(await service.app.http.listen({ host: '127.0.0.1', port: 0 })).port);
});

afterAll(async () => {
  stopAll();
  await service.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, headers, ca: ours.cert, agent: false }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => (body += String(chunk)));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    });
    call.on('error', reject).end();
  });

/** The version that both settle on, or why not. */
const handshake = (versions: { minVersion: SecureVersion; maxVersion: SecureVersion }) =>
  new Promise<string>((resolve) => {
    const ciphers = 'DEFAULT@SECLEVEL=0';
    const socket: TLSSocket = connectTls({ host: '127.0.0.1', port, ca: ours.cert, ciphers, ...versions }, () => {
      resolve(String(socket.getProtocol()));
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });

test('with a certificate the service speaks https, accepts credentials and sends Strict-Transport-Security', async () => {
  const { as } = await service.createTenant();
  const { status, headers } = await get('/v1/events', { authorization: `Bearer ${as.admin}` });
  expect(status).toBe(200);
  expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8,}$/);
  const page = await get('/', { accept: 'text/html' });
  expect(page.body).toContain(`https://127.0.0.1:${port}/v1/auth/login`);
});

test('TLS 1.2 and 1.3 are supported, older versions are not', async () => {
  expect(await handshake({ minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' })).toBe('TLSv1.3');
  expect(await handshake({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
  for (const version of ['TLSv1.1', 'TLSv1'] as const)
    expect(await handshake({ minVersion: version, maxVersion: version })).toMatch(/^ERR_SSL_|EPROTO|ECONNRESET/);
});

test.each([
  ['plain http', written('GET', '/healthz')],
  ['plain http with a credential', written('GET', '/v1/events', { as: 'secret' })],
  ['garbage', Buffer.from([0x80, 0x00, 0xff, 0x13, 0x37, 0x00, 0x00])],
  [
    'the beginning of a handshake, then garbage',
    Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 0xff, 0xff, 0xff, 0xff, 0xff]),
  ],
])('%s on the port closes the connection at once and affects nobody else', async (_title, wire) => {
  const answer = await exchange(port, wire);
  expect(answer.isClosed).toBe(true);
  expect(answer.text).not.toMatch(/HTTP\/1\.1 2/);
  expect((await get('/healthz')).status).toBe(200);
});

test.each([
  ['the key of another certificate', 'TLS_KEY', 'cert.pem', 'other-key.pem'],
  ['no certificate', 'TLS_CERT', 'no.pem', 'key.pem'],
  ['no key', 'TLS_KEY', 'cert.pem', 'no.pem'],
])('%s refuses to start with one line that names the setting', async (_title, setting, cert, key) => {
  const { code, output } = await refusedStart({
    TLS_CERT: pathOf(cert),
    TLS_KEY: pathOf(key),
    DATA_DIR: pathOf('data'),
  });
  expect(code).toBe(2);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(setting);
  expect(output).not.toMatch(/BEGIN|OpenSSL|error:0/);
});
