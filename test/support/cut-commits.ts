import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * What happens to the next COMMIT: it does not reach PostgreSQL ('lost'), its answer gets lost with the connection ('unanswered')
 * or is held back on an open connection ('silent'), or PostgreSQL is gone after its answer ('answered').
 */
export type Fault = 'lost' | 'unanswered' | 'silent' | 'answered';

/** A relay in front of PostgreSQL that breaks connections at COMMIT. */
export interface CommitCutter {
  readonly url: string;
  /** Faults of the next COMMITs, in turn. */
  readonly faults: Fault[];
  /** Whether all other connections end with the next fault, and new ones are refused. */
  isCutOff: boolean;
  /** Connects again. */
  mend(): void;
  close(): Promise<void>;
}

const commit = Buffer.from('COMMIT\0');

export async function startCommitCutter(serverUrl: string): Promise<CommitCutter> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isRefusing = false;
  const server = createServer((client) => {
    if (isRefusing) return void client.destroy();
    const upstream = connect(Number(port || 5432), hostname);
    let fault: Fault | undefined;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => (sockets.delete(socket), end()));
    }
    client.on('data', (bytes) => {
      if (bytes.includes(commit)) fault = cutter.faults.shift();
      if (fault !== undefined && (cutter.isCutOff || fault === 'answered')) {
        isRefusing = true;
        for (const socket of sockets) if (socket !== client && socket !== upstream) socket.destroy();
      }
      if (fault === 'lost') end();
      else upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (fault === undefined) client.write(bytes);
      else if (fault === 'unanswered') end();
      else if (fault === 'answered') client.end(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cutter: CommitCutter = {
    url: Object.assign(new URL(serverUrl), { host }).href,
    faults: [],
    isCutOff: false,
    mend: () => (isRefusing = cutter.isCutOff = false),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return cutter;
}
