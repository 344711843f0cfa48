import { expect, test } from '@jest/globals';
import { FairQueue, takeTurn, type Shares } from '../src/fair-queue.ts';

/* The queue that divides connections, exports and password hashes among callers. */

/** A queue, and the keys of those who got a turn, in order. */
function scene(shares: Shares<string>) {
  const queue = new FairQueue<string>(shares);
  const begun: string[] = [];
  const refused: string[] = [];
  const want = (name: string, key = name.charAt(0), group?: string) => {
    const waiter = { key, group };
    if (queue.tryBegin(waiter)) begun.push(name);
    else queue.wait(waiter, { begin: () => begun.push(name), refuse: () => refused.push(name) });
  };
  return { queue, begun, refused, want };
}

test('keys take turns, however many waiters each of them has', () => {
  const { queue, begun, want } = scene({ total: 1, each: () => 1 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) want(name);
  for (const key of ['a', 'a', 'b', 'c', 'a', 'b']) queue.end({ key });
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(queue.waitingCount).toBe(0);
});

test('a key gets no more than its limit, and the others get the rest', () => {
  const { queue, begun, want } = scene({ total: 4, each: () => 3 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) want(name);
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  expect([queue.takenCount, queue.waitingCount]).toEqual([4, 2]);
  queue.end({ key: 'b' });
  expect(begun.at(-1)).toBe('b2');
});

test('a limit that falls while turns are taken holds for the next ones', () => {
  let each = 3;
  const { queue, begun, want } = scene({ total: 4, each: () => each });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) want(name);
  each = 1;
  queue.end({ key: 'a' });
  queue.end({ key: 'a' });
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  queue.end({ key: 'a' });
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('a group at its limit lets the waiters behind it pass', () => {
  const { queue, begun, want } = scene({ total: 3, each: () => 2, eachGroup: 1 });
  want('a1', 'a', 'x');
  want('a2', 'a', 'x');
  want('b1', 'b', 'x');
  want('b2', 'b', 'y');
  expect(begun).toEqual(['a1', 'b2']);
  queue.end({ key: 'a', group: 'x' });
  queue.end({ key: 'a', group: 'x' });
  expect(begun).toEqual(['a1', 'b2', 'a2', 'b1']);
});

test('where too many wait, the key with the most waiters loses its last one', () => {
  const { refused, want } = scene({ total: 1, each: () => 1, waitingMax: 3 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) want(name);
  want('b1');
  expect(refused).toEqual(['a4']);
  want('c1');
  expect(refused).toEqual(['a4', 'a3']);
  // Nobody waits more than once by now.
  want('d1');
  want('a5');
  expect(refused).toEqual(['a4', 'a3', 'd1', 'a5']);
});

test('turns that end as soon as they begin are given to any number of waiters', () => {
  const queue = new FairQueue<string>({ total: 1, each: () => 1 });
  let count = 0;
  const [waiter, many] = [{ key: 'a' }, 20_000];
  queue.tryBegin(waiter);
  for (let index = 0; index < many; index++)
    queue.wait(waiter, {
      begin: () => {
        count++;
        queue.end(waiter);
      },
      refuse: () => undefined,
    });
  queue.end(waiter);
  expect([count, queue.takenCount, queue.waitingCount]).toEqual([many, 0, 0]);
});

test('who waits too long is refused, and takes no turn afterwards', async () => {
  const queue = new FairQueue<string>({ total: 1, each: () => 1 });
  const refusal = () => new Error('too long');
  const end = await takeTurn(queue, { key: 'a', waitMs: 60_000, refusal });
  await expect(takeTurn(queue, { key: 'b', waitMs: 1, refusal })).rejects.toThrow('too long');
  expect(queue.waitingCount).toBe(0);
  end();
  expect(queue.takenCount).toBe(0);
});
