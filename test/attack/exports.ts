import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import type { Target } from './target.ts';

/* Exports that are opened and not read. */

const openedCount = 6;
const graphql = JSON.stringify({ query: '{ events { nodes { uuid title description privateNotes } } }' });

async function open({ origin }: Target, dialect: 'REST' | 'GraphQL', credential: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head = `Host: ${hostname}\r\nAccept: text/csv\r\nAuthorization: Bearer ${credential}\r\n`;
  socket.write(
    dialect === 'REST'
      ? `GET /v1/events HTTP/1.1\r\n${head}\r\n`
      : `POST /graphql HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${graphql.length}\r\n\r\n${graphql}`,
  );
  await Promise.race([once(socket, 'readable'), wait(8000)]);
  return socket;
}

/** Another business gets its exports, whole, while one keeps as many open as it can. */
const stalled = (dialect: 'REST' | 'GraphQL', isShort: boolean): Attack => ({
  name: `exports by ${dialect} that nobody reads`,
  tries: 'exports',
  isShort,
  run: async (target) => {
    const { big, other } = target.scene;
    const sockets = await Promise.all(
      Array.from({ length: openedCount }, (_, index) => open(target, dialect, index % 2 === 0 ? big.key : big.admin)),
    );
    const faults: string[] = [];
    for (let round = 0; round < 3; round++) {
      const answer = await target.send('GET', '/v1/events', { as: other.as.key, headers: { accept: 'text/csv' } });
      if (answer.status !== 200 || !answer.isWhole) faults.push(`export of another business: ${answer.status}`);
    }
    for (const socket of sockets) socket.destroy();
    return faults;
  },
});

export const exportAttacks: readonly Attack[] = [stalled('REST', true), stalled('GraphQL', false)];
