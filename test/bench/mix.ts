import type { Request } from 'autocannon';
import { newEvent, rest, serviceBoard, uuidsOf } from './requests.ts';
import type { Business } from './scene.ts';

/** What a day of many businesses looks like: dashboards and lists that are asked for again and again, and changes between. */
export async function mixed(origin: string, businesses: readonly Business[]): Promise<() => Request> {
  const all: { key: string; uuids: string[]; board: ReturnType<typeof serviceBoard> }[] = [];
  for (const business of businesses)
    all.push({ key: business.key, uuids: await uuidsOf(origin, business), board: serviceBoard(business) });
  const random = pseudoRandom();
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  let count = 0;

  return () => {
    const { key, uuids, board } = pick(all);
    const draw = random(100);
    if (draw < 5) return rest.send(key, 'PUT', `/v1/events/${pick(uuids)}`, { dress_code: `Shade ${count++}` });
    if (draw < 10) return rest.send(key, 'POST', '/v1/events', newEvent(count++));
    if (draw < 40) return board(15 + random(5));
    if (draw < 70) return rest.get(key, rest.list(1 + random(5), 15));
    if (draw < 85) return rest.get(key, `/v1/events/${pick(uuids)}`);
    return rest.get(key, `/v1/work_shifts/event/${pick(uuids)}`);
  };
}

/** The same load in every run. Answers a whole number from 0 to below `n`. */
function pseudoRandom(): (n: number) => number {
  let state = 42;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
