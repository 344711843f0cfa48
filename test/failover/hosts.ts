import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

/*
 * Hosts on one machine: each is a network namespace with an address of its own on a bridge that leads nowhere else. They live
 * in the namespaces of this process (see the script `failover`), and end with it.
 */

const bridge = 'hosts';
const network = '198.51.100';

export interface Host {
  readonly name: string;
  readonly address: string;
  /** Starts a program on the host. Its output goes where the options say. */
  start(command: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Runs a program on the host to its end, and returns its output. */
  run(command: readonly string[], env?: Record<string, string>): string;
  /** Signals every process on the host. */
  signal(signal: NodeJS.Signals): void;
  /** Pulls the cable. */
  cutOff(): void;
  connect(): void;
}

const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8' });

/** Makes the network that the hosts share with this process, which has the first address. */
export function openNetwork(): void {
  // In a new namespace, even the loopback interface is down.
  if (ip('-o', 'link', 'show', 'up') !== '') throw new Error('Run it by `npm run failover`, in namespaces of its own.');
  // Other namespaces of this machine are not to be seen, and none of these is left behind.
  execFileSync('mkdir', ['-p', '/run/netns']);
  execFileSync('mount', ['-t', 'tmpfs', 'none', '/run/netns']);
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('addr', 'add', `${network}.1/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
}

export function addHost(name: string, number: number): Host {
  const address = `${network}.${number}`;
  const cable = `to-${name}`;
  const within = (...command: string[]) => ['netns', 'exec', name, ...command];
  ip('netns', 'add', name);
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('link', 'set', cable, 'master', bridge, 'up');
  ip(...within('ip', 'link', 'set', 'lo', 'up'));
  ip(...within('ip', 'addr', 'add', `${address}/24`, 'dev', 'eth0'));
  ip(...within('ip', 'link', 'set', 'eth0', 'up'));
  return {
    name,
    address,
    start: (command, options = {}) => spawn('ip', within(...command), options),
    run: (command, env = {}) =>
      execFileSync('ip', within(...command), { encoding: 'utf8', env: { ...process.env, ...env } }),
    signal: (signal) => {
      for (const pid of ip('netns', 'pids', name).split('\n').filter(Boolean).map(Number))
        try {
          process.kill(pid, signal);
        } catch {
          // It has ended meanwhile.
        }
    },
    cutOff: () => void ip('link', 'set', cable, 'down'),
    connect: () => void ip('link', 'set', cable, 'up'),
  };
}
