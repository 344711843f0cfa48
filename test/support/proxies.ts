import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createCertificate } from './certificate.ts';
import { freePort } from './cluster.ts';

/** A proxy of the test's own, run with the example in `.deploy`. It ends with the test's process, whatever happens there. */
export interface Proxy {
  readonly port: number;
  /** The certificate to trust. */
  readonly ca: string;
  /** Output and log of the proxy so far. */
  output(): string;
  /** Writes the map of cells, makes nginx read it, and waits until no worker with the earlier one is left. */
  mapCells(lines: string): Promise<void>;
  close(): Promise<void>;
}

export type ProxyKind = 'nginx' | 'haproxy' | 'cells';

interface Example {
  readonly program: string;
  readonly file: string;
  /** The port and paths in the file, and what the test has in their place. */
  readonly places: (directory: string, port: number, writePort: number) => Readonly<Record<string, string>>;
  readonly args: (file: string) => readonly string[];
}

const nginx: Example = {
  program: 'nginx',
  file: 'nginx.conf',
  places: (directory, port, writePort) => ({
    '127.0.0.1:4003': `127.0.0.1:${writePort}`,
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/run/nginx.pid': join(directory, 'nginx.pid'),
    '/var/log/nginx/error.log': 'stderr',
    '/var/log/nginx/access.log': join(directory, 'access.log'),
    '/etc/ssl/callboard.pem': join(directory, 'cert.pem'),
    '/etc/ssl/callboard.key': join(directory, 'key.pem'),
  }),
  args: (file) => ['-e', 'stderr', '-g', 'daemon off;', '-c', file],
};

const examples: Record<ProxyKind, Example> = {
  nginx,
  cells: {
    ...nginx,
    file: 'cells.conf',
    places: (directory, port, writePort) => ({
      ...nginx.places(directory, port, writePort),
      '/etc/nginx/cells.map': join(directory, 'cells.map'),
    }),
  },
  haproxy: {
    program: 'haproxy',
    file: 'haproxy.cfg',
    places: (directory, port) => ({
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/ssl/callboard-and-key.pem': join(directory, 'both.pem'),
      '# log stdout': 'log stdout',
      '# log-format': 'log-format',
    }),
    args: (file) => ['-db', '-f', file],
  },
};

/** Starts the proxy in front of two processes of the service at these ports. */
export async function startProxy(kind: ProxyKind, [one, two]: readonly [number, number]): Promise<Proxy> {
  const { program, file, places, args } = examples[kind];
  const directory = await mkdtemp(join(tmpdir(), `callboard-${kind}-`));
  const [port, writePort] = [await freePort(), await freePort()];
  const { cert, key } = createCertificate();
  writeFileSync(join(directory, 'cert.pem'), cert);
  writeFileSync(join(directory, 'key.pem'), key);
  writeFileSync(join(directory, 'both.pem'), cert + key);
  writeFileSync(join(directory, 'cells.map'), '');
  const log = join(directory, 'access.log');
  const example = readFileSync(new URL(`../../.deploy/${file}`, import.meta.url), 'utf8');
  const all: Record<string, string> = {
    ...places(directory, port, writePort),
    '127.0.0.1:4001': `127.0.0.1:${one}`,
    '127.0.0.1:4002': `127.0.0.1:${two}`,
  };
  const missing = Object.keys(all).find((there) => !example.includes(there));
  if (missing !== undefined) throw new Error(`${file} does not have ${missing}.`);
  // In one pass, so that nothing is replaced in what took the place of something else.
  const text = example.replaceAll(new RegExp(Object.keys(all).map(escape).join('|'), 'g'), (there) => all[there] ?? '');
  const path = join(directory, file);
  writeFileSync(path, text);

  const child = spawn(pathOf(program), args(path), { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const stopNow = () => {
    child.kill('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', stopNow);
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`${kind} does not start: ${output}`);
    await wait(20);
  }
  return {
    port,
    ca: cert,
    output: () => output + (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    mapCells: async (lines) => {
      const before = childrenOf(child);
      writeFileSync(join(directory, 'cells.map'), lines);
      child.kill('SIGHUP');
      while (childrenOf(child).some((worker) => before.includes(worker))) await wait(20);
    },
    close: async () => {
      process.removeListener('exit', stopNow);
      const ended = child.exitCode === null ? once(child, 'exit') : null;
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Process ids. */
const childrenOf = ({ pid = 0 }: ChildProcess): string[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([own = '', parent]) => (parent === String(pid) ? [own] : []));

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Debian's programs are not on the path of everybody. */
const pathOf = (name: string): string =>
  [`/usr/sbin/${name}`, `/usr/bin/${name}`].find((path) => existsSync(path)) ?? name;
