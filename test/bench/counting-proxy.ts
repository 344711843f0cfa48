import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { portOf } from './contenders/child.ts';

/** Stands before a PostgreSQL server and counts what is written to it: each write arrives by itself where the next waits for its answer. */
export async function countWrites(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let writes = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ host: target.hostname, port: Number(target.port || 5432), noDelay: true });
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', () => writes++);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(portOf(server.address()));
  return {
    url: url.href,
    writes: () => writes,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
