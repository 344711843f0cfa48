import type { Request } from 'autocannon';
import { ask, graphql, instants, newEvent, rest, serviceBoard } from './requests.ts';
import { median } from './rounds.ts';
import type { Business, Scene } from './scene.ts';
import type { Counts, Service } from './service.ts';

/** Many assignments in one request, and equal requests at one time. */
export interface AtOnce {
  /** Median times of 100 assignments in one request, and of 100 requests one at a time. */
  readonly assign100Ms: number;
  readonly assign100SinglyMs: number;
  /** SQL statements of a request. */
  readonly assign1Statements: number;
  readonly assign100Statements: number;
  /** How often 50 equal boards that nobody has asked for before are computed, on average. */
  readonly equalComputed: number;
}

const people = 100;
const equalRequests = 50;

export async function measureAtOnce(scene: Scene, service: Service, rounds: number): Promise<AtOnce> {
  const assign = await createAssigner(service.origin, scene.small[0] as Business);
  const one: Cost[] = [];
  const all: Cost[] = [];
  const singly: Cost[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const costs = [
      await costOf(service, await assign(1)),
      await costOf(service, await assign(people)),
      await costOf(service, await assign(people, 1)),
    ] as const;
    if (round === 0) continue;
    one.push(costs[0]);
    all.push(costs[1]);
    singly.push(costs[2]);
  }
  return {
    assign100Ms: median(all.map(({ ms }) => ms)),
    assign100SinglyMs: median(singly.map(({ ms }) => ms)),
    assign1Statements: median(one.map(({ statements }) => statements)),
    assign100Statements: median(all.map(({ statements }) => statements)),
    equalComputed: await countComputed(scene, service, rounds),
  };
}

interface Cost {
  readonly ms: number;
  readonly statements: number;
}

/** The statements that the service has sent for so many requests since `before`: the log may be behind the answers. */
async function statementsOf({ counts }: Service, before: Counts, requests: number): Promise<number> {
  let now = before;
  while (now.requests - before.requests < requests) now = await counts();
  return now.statements - before.statements;
}

async function costOf(service: Service, requests: readonly Request[]): Promise<Cost> {
  const { origin, counts } = service;
  const before = await counts();
  const startedAt = performance.now();
  for (const request of requests) {
    const { bytes } = await ask(origin, request);
    const { data } = JSON.parse(bytes.toString()) as { data: { assignShifts: { shift: object | null }[] } };
    if (data.assignShifts.some(({ shift }) => shift === null)) throw new Error(`Not assigned: ${bytes.toString()}`);
  }
  const ms = performance.now() - startedAt;
  return { ms, statements: await statementsOf(service, before, requests.length) };
}

/** Makes an event of its own each time; the answer is what assigns so many people to it, `perRequest` at a time. */
async function createAssigner(origin: string, { key }: Business) {
  const dataOf = async <T>(document: string, variables: object = {}): Promise<T> => {
    const { bytes } = await ask(origin, graphql(document, key)(variables));
    return (JSON.parse(bytes.toString()) as { data: T }).data;
  };
  const { positions, staff } = await dataOf<{ positions: { id: string }[]; staff: { nodes: { id: string }[] } }>(
    `{ positions { id } staff(first: ${people}) { nodes { id } } }`,
  );
  const send = graphql(
    'mutation Assign($inputs: [AssignShiftInput!]!) { assignShifts(inputs: $inputs) { shift { uuid } } }',
    key,
  );
  // Nobody is busy on days that no earlier run has taken. A date may be in the year 2999 at most.
  let day = Math.floor(Math.random() * 150_000);
  return async (count: number, perRequest = count): Promise<Request[]> => {
    const date = new Date(Date.UTC(2035, 0, 1 + 2 * day++)).toISOString().slice(0, 10);
    const times = { start_time: `${date} 10:00:00`, end_time: `${date} 16:00:00` };
    const { bytes } = await ask(origin, rest.send(key, 'POST', '/v1/events', { ...newEvent(day), ...times }));
    const { data: event } = JSON.parse(bytes.toString()) as { data: { uuid: string } };
    const { createCallTime } = await dataOf<{ createCallTime: { id: string } }>(
      `mutation Create($eventId: ID!, $input: CreateCallTimeInput!) {
        createCallTime(eventId: $eventId, input: $input) { id } }`,
      {
        eventId: event.uuid,
        input: {
          positionId: positions[0]?.id,
          staffNeeded: people,
          startTime: times.start_time,
          endTime: times.end_time,
        },
      },
    );
    const callTimeId = createCallTime.id;
    const inputs = staff.nodes.slice(0, count).map(({ id: userId }) => ({ callTimeId, userId }));
    return Array.from({ length: count / perRequest }, (_, index) =>
      send({ inputs: inputs.slice(index * perRequest, (index + 1) * perRequest) }),
    );
  };
}

/** By the statements: an answer that is not computed takes those of its credential alone. */
async function countComputed({ main, events }: Scene, service: Service, rounds: number): Promise<number> {
  const { origin, counts } = service;
  const [board, from] = [serviceBoard(main), instants(events)];
  const sentFor = async (requests: readonly Request[]) => {
    const before = await counts();
    await Promise.all(requests.map((request) => ask(origin, request)));
    return statementsOf(service, before, requests.length);
  };
  let computed = 0;
  for (let round = 0; round < rounds; round++) {
    const single = board(15, from());
    const afresh = await sentFor([single]);
    // A full cache takes an answer in when it is asked for again.
    await sentFor([single]);
    const known = await sentFor([single]);
    if (known >= afresh) throw new Error(`A board takes ${afresh} statements, and ${known} when it is known.`);
    const equal = board(15, from());
    const all = await sentFor(Array.from({ length: equalRequests }, () => equal));
    computed += (all - equalRequests * known) / (afresh - known);
  }
  return computed / rounds;
}
