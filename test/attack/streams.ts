import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import type { Target } from './target.ts';

/* Streams of one person whose results are large, and the person's own changes, which make each of them compute. */

const changed = (fields: string) =>
  `subscription { changes { changes { node { ... on WorkShift { user { ${fields} } } } } } }`;

/** More than an answer may hold. */
const tooLarge = changed('shifts { user { shifts { id } } }');

/** Some megabytes for each change, which fit. */
const large = changed(
  Array.from({ length: 25 }, (_, index) => `a${index}: shifts { id uuid startsAt endsAt firstName lastName }`).join(
    ' ',
  ),
);

const waitMs = 60_000;
const reason = 'GRAPHQL_LIMIT_EXCEEDED';

interface Opened {
  readonly socket: Socket;
  bytes: number;
  hasReason: boolean;
}

/** Opens a stream, and reads it without keeping it, or only its beginning. */
async function open({ origin, scene }: Target, query: string, isRead: boolean): Promise<Opened> {
  const { hostname, port } = new URL(origin);
  const body = JSON.stringify({ query });
  const socket = connect(Number(port), hostname);
  const opened: Opened = { socket, bytes: 0, hasReason: false };
  socket.on('error', () => undefined);
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${scene.nested.as.staff}\r\nContent-Type: application/json\r\n` +
      `Accept: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await new Promise<void>((resolve) => {
    socket.once('close', resolve);
    socket.on('data', (chunk: Buffer) => {
      opened.bytes += chunk.length;
      opened.hasReason ||= chunk.includes(reason);
      resolve();
    });
  });
  if (!isRead) socket.pause();
  return opened;
}

const streamAttack = (
  name: string,
  count: number,
  query: string,
  { turn, isRead = true, isShort = false }: { turn: number; isRead?: boolean; isShort?: boolean },
): Attack => ({
  name,
  tries: 'streams',
  isShort,
  run: async (target) => {
    const streams: Opened[] = [];
    for (let left = count; left > 0; left -= 20)
      streams.push(
        ...(await Promise.all(Array.from({ length: Math.min(20, left) }, () => open(target, query, isRead)))),
      );
    try {
      const before = streams.reduce((sum, { bytes }) => sum + bytes, 0);
      const as = target.scene.nested.as.staff;
      // Each attack confirms shifts of its own: what is confirmed already is no change.
      const { head } = await target.graphql(`{ myShifts(perPage: 3, page: ${turn}) { nodes { uuid } } }`, { as });
      for (const [, uuid] of head.matchAll(/"uuid":"([^"]+)"/g))
        await target.graphql(`mutation { confirmShift(id: "${uuid}") { confirmed } }`, { as });
      if (!isRead) {
        while (target.goesOn()) await wait(100);
        return [];
      }
      const isDone = () =>
        query === tooLarge
          ? streams.every(({ hasReason }) => hasReason)
          : streams.reduce((sum, { bytes }) => sum + bytes, 0) > before + 10_000_000 && !target.goesOn();
      for (const end = performance.now() + waitMs; !isDone(); await wait(100))
        if (performance.now() > end) return [`the streams got neither results nor the reason ${reason}`];
      return [];
    } finally {
      for (const { socket } of streams) socket.destroy();
    }
  },
});

export const streamAttacks: readonly Attack[] = [
  streamAttack('200 streams with results that are too large', 200, tooLarge, { turn: 1, isShort: true }),
  streamAttack('200 streams with large results', 200, large, { turn: 2 }),
  streamAttack('500 streams with large results', 500, large, { turn: 3 }),
  streamAttack('500 streams whose clients do not read', 500, large, { turn: 4, isRead: false, isShort: true }),
  streamAttack('500 streams that are too large and whose clients do not read', 500, tooLarge, {
    turn: 5,
    isRead: false,
  }),
];
