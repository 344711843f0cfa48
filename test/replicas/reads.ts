import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Event, Position } from '../../src/generated/prisma/client.ts';
import type { TestApp } from '../support/app.ts';
import { startReplica, type Cluster } from '../support/cluster.ts';
import type { Tenant } from '../support/factories.ts';
import { catchUp, countsOf, growthOf } from '../support/replicas.ts';
import { isNightly } from '../support/share.mjs';
import { isInUse, plain, primary, replica, service, startService } from './scene.ts';

/** Lists, single events and boards on streaming replicas that are late, killed, frozen and behind one address. */
export function testReads(): void {
  const businesses = 4;

  interface Stage {
    readonly tenant: Tenant;
    readonly event: Event;
    readonly position: Position;
    /** Events and call times whose write was acknowledged, and those whose write has begun. */
    readonly done: { events: number; callTimes: number };
    readonly begun: { events: number; callTimes: number };
  }

  let stages: Stage[];

  async function createStage(): Promise<Stage> {
    const tenant = await plain.createTenant();
    const event = await plain.createEvent(tenant.business);
    const position = await plain.createPosition(tenant.business);
    const stage = {
      tenant,
      event,
      position,
      done: { events: 1, callTimes: 0 },
      begun: { events: 1, callTimes: 0 },
    };
    await addCallTime(stage);
    await plain.createShift(event, tenant.staff, { positionId: position.id });
    return stage;
  }

  async function addCallTime({ event, position, begun, done }: Stage): Promise<void> {
    begun.callTimes++;
    await plain.createCallTime(event, { positionId: position.id });
    done.callTimes++;
  }

  async function addEvent({ tenant, begun, done }: Stage): Promise<void> {
    begun.events++;
    await plain.createEvent(tenant.business);
    done.events++;
  }

  beforeAll(async () => {
    stages = await Promise.all(Array.from({ length: businesses }, createStage));
  });

  async function get(app: TestApp, url: string, as: string) {
    const { statusCode, body, headers } = await app.app.http.inject({
      url,
      headers: { authorization: `Bearer ${as}` },
    });
    expect({ statusCode, body: statusCode === 200 ? '' : body }).toEqual({ statusCode: 200, body: '' });
    return { body: JSON.parse(body), headers };
  }

  async function ask(app: TestApp, query: string, as: string, variables: object = {}) {
    const { body } = await app.graphql(query, { as, variables });
    expect(body.errors).toBeUndefined();
    return body.data;
  }

  const board = `{ events(first: 50) { edges { node {
  title callTimes { uuid staffNeeded position { title } } workShifts { uuid position { title } firstName } } } } }`;

  const listEvents = async (app: TestApp, { tenant }: Stage) =>
    (await get(app, '/v1/events?per_page=100', tenant.as.key)).body;
  const readEvent = async (app: TestApp, { tenant, event }: Stage) =>
    (await get(app, `/v1/events/${event.uuid}`, tenant.as.key)).body.data;
  const readBoard = async (app: TestApp, { tenant }: Stage) =>
    (await ask(app, board, tenant.as.key)).events.edges.map(({ node }: { node: unknown }) => node);

  /** Reads of every kind and role. */
  const reads: readonly ((app: TestApp, stage: Stage) => Promise<unknown>)[] = [
    listEvents,
    readEvent,
    readBoard,
    async (app, { tenant, event }) => (await get(app, `/v1/work_shifts/event/${event.uuid}`, tenant.as.admin)).body,
    async (app, { tenant }) => (await get(app, '/v1/staff', tenant.as.admin)).body,
    (app, { tenant }) => ask(app, '{ viewer { __typename } ' + board.slice(1), tenant.as.admin),
  ];

  test('ordinary reads are answered by the replica alone, as the primary answers them', async () => {
    await isInUse();
    for (const read of reads) {
      for (const stage of stages) await addCallTime(stage);
      await catchUp(primary, replica);
      for (const stage of stages) {
        const expected = await read(plain, stage);
        const grown = await growthOf(service, async () => expect(await read(service, stage)).toEqual(expected));
        expect(grown).toEqual({ replica: expect.any(Number), primary: 0, fallbacks: {} });
        expect(grown.replica).toBeGreaterThan(0);
      }
    }
  });

  interface Load {
    readonly lag?: (() => Promise<void>) | undefined;
    readonly app?: TestApp;
  }

  /** Answers that are judged, at least. */
  const answersMin = isNightly ? 1500 : 250;

  /**
   * Reads while others write, until replicas and the primary have answered. Returns the answers that are older than an
   * acknowledged write.
   */
  async function findStale({ lag, app = service }: Load): Promise<string[]> {
    const over = new AbortController();
    const before = await countsOf(app);
    const isEnough = async () => {
      const { replica: answered, fallbacks } = await countsOf(app);
      return answered > before.replica && (fallbacks['behind'] ?? 0) > (before.fallbacks['behind'] ?? 0);
    };
    let judged = 0;
    const write = async (stage: Stage) => {
      while (!over.signal.aborted) {
        await addCallTime(stage);
        if (randomInt(10) === 0 && stage.begun.events < 90) await addEvent(stage);
        await wait(randomInt(120));
      }
    };
    const disturb = async () => {
      while (!over.signal.aborted) await lag?.();
    };
    const stale: string[] = [];
    const expectBetween = (what: string, found: number, least: number, most: number) => {
      if (found < least || found > most) stale.push(`${found} ${what} are not from ${least} to ${most}`);
    };
    const read = async (stage: Stage) => {
      while (judged < answersMin || !(await isEnough())) {
        if (randomInt(4) === 0) await addCallTime(stage);
        const least = { ...stage.done };
        const kind = randomInt(3);
        const nodes = kind === 2 ? await readBoard(app, stage) : undefined;
        const listed = kind === 1 ? (await listEvents(app, stage)).data.data : undefined;
        const events: { callTimes?: unknown[]; call_times?: unknown[] }[] = nodes ??
          listed ?? [await readEvent(app, stage)];
        const callTimes = events.flatMap((event) => event.callTimes ?? event.call_times ?? []).length;
        if (kind > 0) expectBetween('events', events.length, Math.min(least.events, 50), stage.begun.events);
        if (nodes === undefined || nodes.length < 50)
          if (kind !== 1 || callTimes > 0)
            expectBetween('call times', callTimes, least.callTimes, stage.begun.callTimes);
        judged++;
        await wait(randomInt(20));
      }
    };
    const background = [...stages.map(write), ...(lag ? [disturb()] : [])];
    await Promise.all(stages.flatMap((stage) => [read(stage), read(stage)])).finally(() => over.abort());
    await Promise.all(background);
    return stale;
  }

  test('no answer is stale while the replay pauses at random and many businesses write', async () => {
    await isInUse();
    const lag = async () => {
      await wait(randomInt(300));
      await replica.pauseReplay();
      await wait(randomInt(150));
      await replica.resumeReplay();
    };
    const grown = await growthOf(service, async () => {
      expect(await findStale({ lag })).toEqual([]);
    });
    process.stdout.write(`random lag: ${JSON.stringify(grown)}\n`);
    expect(grown.replica).toBeGreaterThan(0);
    expect(grown.fallbacks['behind']).toBeGreaterThan(0);
  });

  test('a call falls back once, however many statements it sends, and others of its business soon read the primary at once', async () => {
    const [stage, quiet] = stages as [Stage, Stage];
    await isInUse();
    await replica.pauseReplay();
    await addCallTime(stage);
    const expected = await readBoard(plain, stage);
    const grown = await growthOf(service, async () => expect(await readBoard(service, stage)).toEqual(expected));
    expect(grown).toMatchObject({ replica: 0, fallbacks: { behind: 1 } });
    // Nothing was written in this business.
    expect(await growthOf(service, () => listEvents(service, quiet))).toMatchObject({ primary: 0, fallbacks: {} });
    const later = await growthOf(service, async () => {
      for (let round = 0; round < 12; round++) expect(await readBoard(service, stage)).toEqual(expected);
    });
    expect(later).toMatchObject({ replica: 0, fallbacks: { behind: 5 } });
    await replica.resumeReplay();
    await isInUse();
    expect((await growthOf(service, () => readBoard(service, stage))).primary).toBe(0);
  });

  test('what a call has written, and what belongs to a cursor, is read from the primary', async () => {
    const [stage] = stages as [Stage];
    await isInUse();
    await replica.pauseReplay();
    const variables = { id: stage.event.uuid, title: `Title ${randomInt(1e9)}` };
    const grown = await growthOf(service, async () => {
      const { updateEvent } = await ask(
        service,
        'mutation ($id: ID!, $title: String!) { updateEvent(id: $id, input: { title: $title }) { event { title callTimes { uuid } } } }',
        stage.tenant.as.admin,
        variables,
      );
      expect(updateEvent.event.title).toBe(variables.title);
      expect(updateEvent.event.callTimes).toHaveLength(stage.done.callTimes);
      await ask(service, '{ changes { nextCursor } events { edges { node { title } } } }', stage.tenant.as.admin);
    });
    expect(grown).toMatchObject({ replica: 0, fallbacks: {} });
  });

  /** Leads each connection to the next of several servers. */
  async function openBalancer(servers: readonly Cluster[]) {
    let turn = 0;
    const sockets = new Set<Socket>();
    const balancer = createServer((incoming) => {
      const { port } = new URL(servers[turn++ % servers.length]!.url);
      const outgoing = connect(Number(port), '127.0.0.1');
      for (const [from, to] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        sockets.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy()).on('close', () => to.destroy());
      }
    }).listen(0, '127.0.0.1');
    await once(balancer, 'listening');
    const url = new URL(servers[0]!.url);
    url.port = String((balancer.address() as AddressInfo).port);
    return {
      url: url.href,
      close: async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => balancer.close(resolve));
      },
    };
  }

  test('no answer is stale behind an address that leads to several replicas, one of them late', async () => {
    const late = await startReplica(primary, { recovery_min_apply_delay: '200ms' });
    const balancer = await openBalancer([replica, late]);
    const balanced = await startService({ DATABASE_READ_URLS: balancer.url });
    try {
      await isInUse(balanced);
      const grown = await growthOf(balanced, async () => expect(await findStale({ app: balanced })).toEqual([]));
      expect(grown.replica).toBeGreaterThan(0);
      expect(grown.fallbacks['behind']).toBeGreaterThan(0);
    } finally {
      await balanced.close();
      await balancer.close();
      await late.close();
    }
  });
}
