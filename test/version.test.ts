import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useService } from './support/app.ts';

const service = useService();

test('the version in package.json is the one that the service shows everywhere', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const get = async (url: string, accept = 'application/json') =>
    (await service.call('GET', url, { headers: { accept } })).body;
  const command = fileURLToPath(new URL('../dist/bin/callboard.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [command, '--version']);
  expect({
    start: (await get('/')).version,
    health: (await get('/healthz')).version,
    openapi: (await get('/openapi.json')).info.version,
    command: stdout.trim(),
  }).toEqual({ start: version, health: version, openapi: version, command: version });
  expect(await get('/', 'text/html')).toContain(`Callboard ${version}`);
});
