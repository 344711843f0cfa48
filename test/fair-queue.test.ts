import { expect, test } from '@jest/globals';
import { FairQueue, type Shares } from '../src/fair-queue.ts';

/* The queue that divides connections, exports and password hashes among callers. */

const late = 60_000;

/** A queue, and the names of those who got a turn or were refused, in order. `end` gives back the first turn of a name. */
function scene(shares: Shares<string>) {
  const queue = new FairQueue<string>(shares);
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const want = async (name: string, key = name.charAt(0), group?: string) => {
    try {
      const turn = await queue.take({ key, group, waitMs: late, refusal: () => new Error('refused') });
      begun.push(name);
      ends.set(name, turn);
    } catch {
      refused.push(name);
    }
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const wantAll = async (...names: string[]) => {
    for (const name of names) void want(name);
    await settled();
  };
  const end = async (...names: string[]) => {
    for (const name of names) {
      ends.get(name)?.();
      await settled();
    }
  };
  return { queue, begun, refused, want, wantAll, end, settled };
}

test('keys take turns, however many waiters each of them has', async () => {
  const { queue, begun, wantAll, end } = scene({ total: 1, each: () => 1 });
  await wantAll('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
  await end('a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect([queue.takenCount, queue.waitingCount]).toEqual([0, 0]);
});

test('a key gets no more than its limit, and the others get the rest', async () => {
  const { queue, begun, wantAll, end } = scene({ total: 4, each: () => 3 });
  await wantAll('a1', 'a2', 'a3', 'a4', 'b1', 'b2');
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  expect([queue.takenCount, queue.waitingCount]).toEqual([4, 2]);
  await end('b1');
  expect(begun.at(-1)).toBe('b2');
  await end('a1', 'a2', 'a3', 'b2', 'a4');
});

test('a limit that falls while turns are taken holds for the next ones', async () => {
  let each = 3;
  const { begun, wantAll, end } = scene({ total: 4, each: () => each });
  await wantAll('a1', 'a2', 'a3', 'a4', 'a5');
  each = 1;
  await end('a1', 'a2');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  await end('a3');
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
  await end('a4', 'a5');
});

test('a group at its limit lets the waiters behind it pass', async () => {
  const { begun, want, end, settled } = scene({ total: 3, each: () => 2, eachGroup: 1 });
  void want('a1', 'a', 'x');
  void want('a2', 'a', 'x');
  void want('b1', 'b', 'x');
  void want('b2', 'b', 'y');
  await settled();
  expect(begun).toEqual(['a1', 'b2']);
  await end('a1', 'a2');
  expect(begun).toEqual(['a1', 'b2', 'a2', 'b1']);
});

test('where too many wait, the key with the most waiters loses its last one', async () => {
  const { refused, wantAll, end } = scene({ total: 1, each: () => 1, waitingMax: 3 });
  await wantAll('a1', 'a2', 'a3', 'a4', 'b1');
  expect(refused).toEqual(['a4']);
  await wantAll('c1');
  expect(refused).toEqual(['a4', 'a3']);
  // Nobody waits more than once by now.
  await wantAll('d1', 'a5');
  expect(refused).toEqual(['a4', 'a3', 'd1', 'a5']);
  await end('a1', 'a2', 'b1', 'c1');
});

test('turns that end as soon as they begin are given to any number of waiters', async () => {
  const queue = new FairQueue<string>({ total: 1, each: () => 1 });
  const many = 20_000;
  const ask = { key: 'a', waitMs: late, refusal: () => new Error('refused') };
  const waiting = Array.from({ length: many }, async () => (await queue.take(ask))());
  expect(queue.waitingCount).toBe(many - 1);
  await Promise.all(waiting);
  expect([queue.takenCount, queue.waitingCount]).toEqual([0, 0]);
});

test('who waits too long is refused, and takes no turn afterwards', async () => {
  const queue = new FairQueue<string>({ total: 1, each: () => 1 });
  const refusal = () => new Error('too long');
  const end = await queue.take({ key: 'a', waitMs: late, refusal });
  await expect(queue.take({ key: 'b', waitMs: 1, refusal })).rejects.toThrow('too long');
  expect(queue.waitingCount).toBe(0);
  end();
  expect(queue.takenCount).toBe(0);
});
