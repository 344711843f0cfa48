import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { exits } from '../src/bin/exits.ts';
import { takeDataDir } from '../src/db/engine/data-dir.ts';
import { runCommand, wordsOf } from './support/command-line.ts';
import { configOf } from './support/config.ts';
import { onServer } from './support/database.ts';
import { databasePrefix, serverUrl, urlOf } from './support/template.ts';

/*
 * The command line on an empty database. Commands run in this process; what only a process of its own shows, such as its streams
 * and its signals, is shown by the built program.
 */

const program = fileURLToPath(new URL('../dist/bin/callboard.js', import.meta.url));
const secrets = { JWT_SECRETS: `test:${'x'.repeat(32)}` };
const databaseName = `${databasePrefix}cli`;
const passphrase = 'a passphrase for tests';
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callboard-cli-'));
  if (serverUrl) await onServer(serverUrl, `CREATE DATABASE ${databaseName}`);
});

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
  if (serverUrl) await onServer(serverUrl, `DROP DATABASE ${databaseName} WITH (FORCE)`);
});

const settings = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'error',
  PORT: '0',
  DEMO: 'false',
  // Nothing ends early because the machine is busy.
  CALLBOARD_DB_CONNECT_TIMEOUT: '30000',
  ...(serverUrl && { DATABASE_URL: urlOf(databaseName) }),
});

interface Run {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
}

const callboard = (command: string, { stdin = '', env = {} }: Run = {}) =>
  runCommand(wordsOf(command), { ...settings(), ...env }, stdin);

/** Runs the built command line, as an operator does. */
async function callboardProcess(command: string, { stdin = '', env = {} }: Run = {}, closesStdout = false) {
  const child = spawn(process.execPath, [program, ...wordsOf(command)], { env: { ...settings(), ...env } });
  const written = { stdout: '', stderr: '' };
  if (closesStdout) child.stdout.destroy();
  else child.stdout.on('data', (chunk) => (written.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (written.stderr += String(chunk)));
  child.stdin.on('error', () => undefined).end(stdin);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...written };
}

/** Runs a command that must succeed and returns its JSON. */
async function json(args: string, stdin = '', run: typeof callboardProcess = callboard) {
  const { status, stdout, stderr } = await run(`${args} --json`, { stdin });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

function expectRefused(
  { status, stdout, stderr }: Awaited<ReturnType<typeof callboardProcess>>,
  exit: keyof typeof exits,
  line: RegExp,
) {
  expect(stderr).toMatch(/^callboard: .+\n$/);
  expect(stderr).toMatch(line);
  expect({ status, stdout }).toEqual({ status: exits[exit].status, stdout: '' });
}

const expectRefusal = async (args: string, exit: keyof typeof exits, line: RegExp, run: Run = {}) =>
  expectRefused(await callboard(args, run), exit, line);

type Call = (url: string, as: string, payload?: object) => Promise<LightMyRequestResponse>;

/** Calls the service, opened on the same database for as long. */
async function withService<T>(work: (call: Call) => Promise<T>) {
  const app = await buildApp(configOf(settings()), { log: pino({ level: 'silent' }) });
  try {
    return await work((url, as, payload) =>
      app.http.inject({
        url,
        headers: { ...(as && { authorization: `Bearer ${as}` }) },
        ...(payload && { method: 'POST', payload }),
      }),
    );
  } finally {
    await app.close();
  }
}

const event = {
  title: 'From outside',
  start_time: '2027-05-01 10:00:00',
  end_time: '2027-05-01 12:00:00',
  timezone: 'Europe/London',
};
const newBusiness =
  'business create --name "Night Shift Ltd" --plan free --admin-email Ann@night.example --admin-name "Ann Lee"';
const newUser = 'user create --business 1 --email zoe@night.example --name "Zoe Park" --role staff';

describe('from an empty database on', () => {
  let business: number;
  let token: string;
  let key: { id: string; key: string };

  test('a command that needs a schema names the command that creates it', async () => {
    await expectRefusal('business list', 'failed', /run `callboard migrate` first/);
  });

  test('business create is enough to log in', async () => {
    const made = await json(`${newBusiness} --password-stdin`, `${passphrase}\n`, callboardProcess);
    expect(made).toEqual({ business_id: expect.any(Number), user_id: expect.any(Number) });
    business = made.business_id;

    await withService(async (call) => {
      const answer = await call('/v1/auth/login', '', { email: 'ann@night.example', password: passphrase });
      expect(answer.statusCode).toBe(200);
      token = answer.json<{ data: { access_token: string } }>().data.access_token;
      expect((await call('/v1/events', token, event)).statusCode).toBe(201);
    });
  });

  test('a taken e-mail in any case is a conflict and leaves no business behind', async () => {
    const stdin = passphrase;
    await expectRefusal(`${newBusiness} --password-stdin`, 'conflict', /--admin-email is taken/, { stdin });
    const again = newUser.replace('zoe@night', 'ANN@night').replace(/business \d+/, `business ${business}`);
    await expectRefusal(`${again} --password-stdin`, 'conflict', /--email is taken/, { stdin });
    const shown = { name: 'Night Shift Ltd', plan: 'free', users: 1 };
    expect(await json('business list')).toEqual([{ id: business, ...shown, created_at: expect.any(String) }]);
  });

  test('without --json the output is a table', async () => {
    const { stdout } = await callboard('business list');
    const [head, row, ...rest] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^ID +NAME +PLAN +USERS +CREATED$/);
    expect(row).toMatch(/^ *\d+ +Night Shift Ltd +free +1 +\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    expect(rest).toEqual([]);
  });

  test('a business is closed and opened', async () => {
    const closed = await json(`business close ${business}`);
    expect(closed).toMatchObject({ id: business, closed_at: expect.any(String) });
    // Once more changes nothing.
    expect(await json(`business close ${business}`)).toEqual(closed);
    expect((await callboard('business list')).stdout).toMatch(/CREATED +CLOSED\n.* UTC +\d{4}-.* UTC\n$/);
    await withService(async (call) => {
      expect((await call('/v1/events', token)).statusCode).toBe(401);
      const refused = await call('/v1/auth/login', '', { email: 'ann@night.example', password: passphrase });
      expect(refused.statusCode).toBe(401);
    });
    expect((await callboard(`business open ${business}`)).stdout).toMatch(/is open\.\n$/);
    await withService(async (call) => expect((await call('/v1/events', token)).statusCode).toBe(200));
    await expectRefusal('business close 99', 'notFound', /No such business/);
  });

  test('a plan is set, a key and a user are created, and the list shows the key without its secret', async () => {
    const changed = await json(`business set-plan --business ${business} --plan professional`);
    expect(changed).toMatchObject({ id: business, plan: 'professional', users: 1 });
    const set = await json(`business set-resource-ids --business ${business} --unique yes`);
    expect(set).toEqual({ id: business, unique_resource_ids: true });

    key = await json(`key create --business ${business} --name "Payroll export"`);
    const { key: secret, ...shown } = key;
    expect(shown).toMatchObject({ name: 'Payroll export', last_four: secret.slice(-4), last_used_at: null });
    expect(await json(`key list --business ${business}`)).toEqual([shown]);

    const made = await json(
      `${newUser.replace(/business \d+/, `business ${business}`)} --password-stdin`,
      'another passphrase',
    );
    expect(made).toEqual({ business_id: business, user_id: expect.any(Number) });
    const users = await json(`user list --business ${business}`);
    expect(users.map(({ role }: { role: string }) => role)).toContain('admin');
    expect(users).toContainEqual(expect.objectContaining({ id: made.user_id, created_at: expect.any(String) }));
    expect(JSON.stringify(users)).not.toMatch(/password|argon2/);
    expect(await json(`user list --business ${business} --role client`)).toEqual([]);
    await expectRefusal('user list --business 999999', 'notFound', /No such business/);
  });

  test('a key is created with scopes and an expiry, which the list shows', async () => {
    const create = `key create --business ${business} --name Narrow`;
    const made = await json(`${create} --scope users:write events:write --expires-in 90d`);
    expect(made.scopes).toEqual(['events:write', 'users:write']);
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(90 * 86_400_000);
    const { stdout } = await callboard(`key list --business ${business}`);
    expect(stdout).toMatch(/^ID +NAME +LAST FOUR +SCOPES +CREATED +LAST USED +EXPIRES$/m);
    expect(stdout).toMatch(/ Narrow .* events:write users:write .* UTC +- +\d{4}-\d\d-\d\d \d\d:\d\d UTC$/m);
    await expectRefusal(`${create} --scope read everything`, 'invalid', /--scope must be one of read, events:write/);
    for (const lifetime of ['0d', '3651d', '1.5h'])
      await expectRefusal(`${create} --expires-in=${lifetime}`, 'invalid', /--expires-in must be hours or days/);
    expect(await json(`key revoke --business ${business} ${made.id}`)).toMatchObject({ id: made.id });
  });

  test('another password ends the personal tokens, and a revoked key is no key', async () => {
    const second = await json(`key create --business ${business} --name Second`);
    expect(await json(`key revoke --business ${business} ${second.id}`)).toMatchObject({ id: second.id });
    expect(await json('user set-password --email ann@NIGHT.example --password-stdin', 'a better passphrase')).toEqual({
      business_id: business,
      user_id: expect.any(Number),
      revoked_tokens: 1,
    });
    await withService(async (call) => {
      const logIn = async (email: string, password: string) =>
        (await call('/v1/auth/login', '', { email, password })).statusCode;
      expect(await logIn('ann@night.example', passphrase)).toBe(401);
      expect(await logIn('ann@night.example', 'a better passphrase')).toBe(200);
      expect(await logIn('zoe@night.example', 'another passphrase')).toBe(200);
      expect((await call('/v1/events', token)).statusCode).toBe(401);
      expect((await call('/v1/events', second.key)).statusCode).toBe(401);
      const answer = await call('/v1/events', key.key);
      expect([answer.statusCode, String(answer.headers['x-ratelimit-limit'])]).toEqual([200, '300']);
      expect(await operatorsTrail(call)).toEqual([
        'cli.user.set-password user {"revokedTokens":1}',
        `cli.key.revoke apiKey {"name":"Second","keyId":"${second.id}"}`,
        `cli.key.create apiKey {"name":"Second","keyId":"${second.id}","scopes":["full"]}`,
        expect.stringMatching(/^cli.key.revoke apiKey .*"name":"Narrow"/),
        expect.stringMatching(/^cli.key.create apiKey .*"scopes":\["events:write","users:write"\],"expiresAt":"/),
        'cli.user.create user {"role":"staff","email":"zoe@night.example"}',
        `cli.key.create apiKey {"name":"Payroll export","keyId":"${key.id}","scopes":["full"]}`,
        'cli.business.set-resource-ids business {"uniqueResourceIds":{"to":true,"from":false}}',
        'cli.business.set-plan business {"plan":{"to":"professional","from":"free"}}',
        'cli.business.open business null',
        'cli.business.close business null',
        expect.stringMatching(/^cli.business.create business .*"email":"Ann@night.example"/),
      ]);
    });
  });

  /** Audit entries of the operator's changes to Ann's business, newest first. */
  async function operatorsTrail(call: Call) {
    const logIn = await call('/v1/auth/login', '', { email: 'ann@night.example', password: 'a better passphrase' });
    const { data } = logIn.json<{ data: { access_token: string } }>();
    const query = '{ auditEntries(filter: { actorKind: OPERATOR }) { nodes { action subjectKind details } } }';
    const answer = await call('/graphql', data.access_token, { query });
    const { nodes } = answer.json<{ data: { auditEntries: { nodes: Record<string, unknown>[] } } }>().data.auditEntries;
    return nodes.map(({ action, subjectKind, details }) => `${action} ${subjectKind} ${JSON.stringify(details)}`);
  }

  test.each([
    ['business set-plan --business 99999999999 --plan free', /No such business/],
    ['business set-resource-ids --business 2147483647 --unique yes', /No such business/],
    ['key list --business 2147483647', /No such business/],
    [
      `${newUser.replace('business 1 --email zoe', 'business 2147483647 --email nobody')} --password-stdin`,
      /No such business/,
    ],
    ['user set-password --email nobody@night.example --password-stdin', /No such user/],
    ['key revoke --business 1 unknown', /No such (API key|business)/],
  ])('%s: not found', async (args, line) => {
    await expectRefusal(args, 'notFound', line, { stdin: passphrase });
  });

  test("another business's key is not found", async () => {
    const other = newBusiness.replace('Ann@night', 'bo@other');
    const { business_id } = await json(`${other} --password-stdin`, passphrase);
    await expectRefusal(`key revoke --business ${business_id} ${key.id}`, 'notFound', /No such API key/);
    expect(await json(`key list --business ${business}`)).toHaveLength(1);
  });

  test('seed refuses a database that contains businesses, unless forced', async () => {
    await expectRefusal('seed', 'conflict', /--force/);
    const { status, stdout, stderr } = await callboard(
      'seed --events 1200 --with-children 20 --name Bulk --force --json',
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ events: 1200, call_times: 100, work_shifts: 400 });
    expect(stderr).toContain('1,200 of 1,200 events\n');
    expect(await json('seed --force')).toMatchObject({ businesses: [{}, {}], password: 'callboard-demo' });
  });

  test('migrate lists the applied migrations: none, the second time', async () => {
    expect(await json('migrate')).toEqual({ applied: [] });
  });

  test('serve says in one line that its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    const refused = await callboardProcess('serve', { env: { PORT, ...secrets } });
    expectRefused(refused, 'failed', new RegExp(`127.0.0.1:${PORT}: it is in use`));
    other.close();
  });

  test('a closed pipe is not a failure', async () => {
    expect(await callboardProcess('business list', {}, true)).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('before any database is opened', () => {
  const unreachable = { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' };

  test.each([
    ['bussiness', /unknown command 'bussiness'/],
    ['business list --all', /unknown option '--all'/],
    ['business set-plan', /--business is required; --plan is required/],
    ['user create', /--business is required; --email is required; --name is required; --role is required/],
    ['key create --scope all', /--business is required; --name is required; --scope must be one of/],
    ['business set-plan --business one --plan free', /'one' is invalid/],
    ['business set-plan --business 1 --plan gold', /--plan must be one of free, basic, professional, enterprise/],
    [`${newUser} --password secret-in-arguments`, /unknown option '--password'/],
    [newUser, /use --password-stdin/],
    ['user set-password --email ann --password-stdin', /--email must be an e-mail address/],
    ['key create --business 1 --name " "', /--name must not be blank/],
    ['seed --events 0', /--events must be at least 1/],
    ['seed --name Bulk', /--name goes with --events only/],
    ['seed --with-children 5', /--with-children goes with --events only/],
    [
      'business create --name "" --plan gold --admin-email ann --admin-name " " --password-stdin',
      /--name must not be blank; --plan .+; --admin-email .+; --admin-name must not be blank/,
    ],
  ])('%s: wrong input', async (args, line) => {
    await expectRefusal(args, 'invalid', line, { stdin: passphrase, env: unreachable });
  });

  test.each([
    ['', /at least 8 bytes/],
    ['p'.repeat(1025), /at most 1024 bytes/],
    ['nul \0 in the middle', /without NUL/],
  ])('an invalid password is refused: %#', async (stdin, line) => {
    await expectRefusal(`${newUser} --password-stdin`, 'invalid', line, { stdin, env: unreachable });
  });

  test('a common password is refused if the setting says so', async () => {
    const env = { ...unreachable, CALLBOARD_REFUSE_COMMON_PASSWORDS: 'true' };
    await expectRefusal(`${newUser} --password-stdin`, 'invalid', /among the most common/, {
      stdin: 'password123',
      env,
    });
  });

  test('config check names all that is wrong, and else what is advised, without a value', async () => {
    const wrong = await callboard('config check', { env: { PORT: 'hidden', CALLBOARD_DB_POOL: 'hidden' } });
    expect(wrong.status).toBe(exits.invalid.status);
    expect(wrong.stdout).toMatch(/^wrong +PORT .*\nwrong +CALLBOARD_DB_POOL /m);
    const right = await callboard('config check --json', { env: { ...unreachable, ...secrets } });
    expect(right.status).toBe(0);
    const { wrong: none, advised } = JSON.parse(right.stdout) as { wrong: string[]; advised: string[] };
    expect(none).toEqual([]);
    expect(advised.join('\n')).toContain('CALLBOARD_REFUSE_COMMON_PASSWORDS=true');
    expect(wrong.stdout + right.stdout).not.toMatch(/hidden|xxxx/);
  });

  test.each([
    ['HOST cannot be listened on', { HOST: '192.0.2.1' }],
    ['DATA_DIR', { DATA_DIR: `${process.execPath}/data` }],
    ['METRICS_PORT must be another port', { PORT: '4000', METRICS_PORT: '4000' }],
    ['DATABASE_URL is missing', { NODE_ENV: 'production', DATA_DIR: '' }],
    ['Did you mean JWT_SECRETS?', { JWT_SECRET: 'hidden' }],
  ])('config check finds what serve would refuse: %s', async (fault, env) => {
    const { status, stdout } = await callboard('config check', { env: { DATABASE_URL: '', ...env } });
    expect({ status, stdout }).toEqual({ status: exits.invalid.status, stdout: expect.stringContaining(fault) });
    expect(stdout).not.toContain('hidden');
  });

  test('config check and serve advise against a proxy that may be anybody', async () => {
    const { status, stdout } = await callboard('config check', { env: { DATABASE_URL: '', TRUST_PROXY: '0.0.0.0/0' } });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^advised +TRUST_PROXY /m) });
  });

  test('seed makes no demo accounts in production', async () => {
    await expectRefusal('seed --force', 'failed', /Everybody knows the password/, { env: { NODE_ENV: 'production' } });
  });

  test('a wrong setting is named', async () => {
    await expectRefusal('business list', 'invalid', /CALLBOARD_DB_POOL/, { env: { CALLBOARD_DB_POOL: 'many' } });
  });

  test('serve on PostgreSQL requires signing secrets', async () => {
    await expectRefusal('serve', 'invalid', /JWT_SECRETS/, { env: unreachable });
  });

  test('a database that cannot be reached is named without its password', async () => {
    const refused = await callboardProcess('business list', { env: unreachable });
    expectRefused(refused, 'noDatabase', /^(?!.*hidden).*127\.0\.0\.1:1$/m);
  });

  test('a data folder that another process uses is left alone', async () => {
    const held = await mkdtemp(join(tmpdir(), 'callboard-held-'));
    const release = takeDataDir(held);
    const env = { DATA_DIR: held, DATABASE_URL: '' };
    const refused = await callboardProcess('migrate', { env });
    expectRefused(refused, 'noDatabase', new RegExp(`in use by process ${process.pid}`));
    release();
    await rm(held, { recursive: true });
  });

  test('Ctrl+C at a prompt ends the command with a status of its own', async () => {
    // `script` gives the command a terminal.
    const words = ['--quiet', '--return', '--command', `"${process.execPath}" "${program}" ${newUser}`, '/dev/null'];
    const child = spawn('script', words, { env: { ...settings(), ...unreachable } });
    let shown = '';
    child.stdout.on('data', (chunk) => {
      const isAsked = shown.includes('Password:');
      shown += String(chunk);
      if (!isAsked && shown.includes('Password:')) child.stdin.write('\u0003');
    });
    expect(await once(child, 'close')).toEqual([exits.interrupted.status, null]);
    expect(shown).toContain('callboard: Interrupted.');
  });

  test('--help names every command and exit status on stdout; no command at all is wrong usage', async () => {
    const { status, stdout, stderr } = await callboard('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const noun of ['serve', 'migrate', 'seed', 'business', 'user', 'key']) expect(stdout).toContain(`\n  ${noun}`);
    for (const exit of Object.values(exits))
      expect(stdout).toMatch(new RegExp(`^  ${exit.status} +${exit.meaning}$`, 'm'));
    expect(await callboard('business')).toMatchObject({ status: 2, stdout: '' });
  });

  test('without a command it says what to do next', async () => {
    const { status, stdout, stderr } = await callboard('');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^To look at it, run\n {2}callboard serve$/m);
    expect(stderr).toContain('callboard --help');
  });
});
