import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { residentMb } from './meters.ts';
import { ask, instants, rest, serviceBoard } from './requests.ts';
import { median, overHttp, type Load } from './rounds.ts';
import type { Business, Scene } from './scene.ts';
import { startService, type Service } from './service.ts';

/** Live updates: how soon a change is at the client, and what open streams cost. */
export interface Live {
  readonly streams: number;
  /** From sending a change until a stream has its event, over all streams and changes. */
  readonly oneProcess: Delays;
  /** Half of the streams in each process, changes in the first. Null: no BENCH_REDIS_URL. */
  readonly twoProcesses: Delays | null;
  readonly kbPerStream: number;
  /** Boards of 15 a second, with idle streams and without. */
  readonly boardsPerSecond: { readonly without: number; readonly withStreams: number };
}

export interface Delays {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const streamCount = 1000;
const changes = 30;
const warmUpChanges = 5;
/** A full run has three rounds, a quick one has one. */
const turnsPerRound = 5;
const settleMs = 8000;
const arrivalMs = 30_000;
const unbounded = { CALLBOARD_STREAMS: '100000' };

interface Pace {
  readonly rounds: number;
  readonly roundS: number;
  readonly warmUpRequests: number;
}

export async function measureLive(scene: Scene, pace: Pace, redisUrl: string | undefined): Promise<Live> {
  const env = { DATABASE_URL: scene.databaseUrl, ...unbounded };
  const business = scene.small[0]!;
  const alone = await startService(env);
  const oneProcess = await measureDelays([alone], business);
  await alone.stop();
  const twoProcesses = redisUrl === undefined ? null : await measureOnTwo({ ...env, REDIS_URL: redisUrl }, business);
  const [bare, streaming] = [await startService(env), await startService(env)];
  const warmUp = async () => {
    for (const service of [bare, streaming]) await driveBoards(service, scene, { requests: pace.warmUpRequests });
  };
  await warmUp();
  const before = await settledMb(streaming);
  // Of the business whose boards are read: those of another one would put both on their shares of the connections for a minute.
  const streams = await openStreams([streaming], scene.main, streamCount);
  const after = await settledMb(streaming);
  // Opening so many streams at once leaves code to be optimized anew.
  await warmUp();
  const [without, withStreams] = await compareBoards([bare, streaming], scene, pace);
  closeAll(streams);
  await Promise.all([bare.stop(), streaming.stop()]);
  const kbPerStream = ((after - before) * 1000) / streamCount;
  return { streams: streamCount, oneProcess, twoProcesses, kbPerStream, boardsPerSecond: { without, withStreams } };
}

async function measureOnTwo(env: Record<string, string>, business: Business): Promise<Delays> {
  // The second one must know the secret of the first only for tokens; keys are in the database.
  const services = [await startService(env), await startService(env)];
  const delays = await measureDelays(services, business);
  for (const service of services) await service.stop();
  return delays;
}

/** Memory once garbage has been collected, as far as the process does that by itself. */
async function settledMb({ pid }: Service): Promise<number> {
  await wait(settleMs);
  return residentMb(pid) ?? NaN;
}

/** Boards a second of the one and of the other, asked in short turns, so that both meet the same machine. */
async function compareBoards(services: [Service, Service], scene: Scene, pace: Pace): Promise<[number, number]> {
  const [one, other]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < pace.rounds * turnsPerRound; turn++) {
    one.push(await driveBoards(services[0], scene, { seconds: pace.roundS }));
    other.push(await driveBoards(services[1], scene, { seconds: pace.roundS }));
  }
  return [median(one), median(other)];
}

async function driveBoards({ origin }: Service, { main, events }: Scene, load: Load): Promise<number> {
  const board = serviceBoard(main);
  const from = instants(events);
  const { latenciesMs, seconds } = await overHttp(origin, () => board(15, from()), load);
  return latenciesMs.length / seconds;
}

interface Stream {
  /** Called with each event after the first. */
  onEvent: () => void;
  close(): void;
}

const closeAll = (streams: readonly Stream[]) => streams.forEach((stream) => stream.close());

async function measureDelays(services: readonly Service[], business: Business): Promise<Delays> {
  const streams = await openStreams(services, business, streamCount);
  const { bytes } = await ask(services[0]!.origin, rest.get(business.key, '/v1/events?per_page=15'));
  const { data } = JSON.parse(bytes.toString()) as { data: { data: { uuid: string }[] } };
  const delays: number[] = [];
  for (let change = -warmUpChanges; change < changes; change++) {
    const uuid = data.data[(change + warmUpChanges) % data.data.length]!.uuid;
    const sentAt = performance.now();
    const arrived = Promise.all(
      streams.map(
        (stream) =>
          new Promise<number>((resolve) => {
            stream.onEvent = () => resolve(performance.now() - sentAt);
          }),
      ),
    );
    const changed = ask(
      services[0]!.origin,
      rest.send(business.key, 'PUT', `/v1/events/${uuid}`, { dress_code: `Shade ${change}` }),
    );
    const late = wait(arrivalMs, null, { ref: false }).then(() => {
      throw new Error('Not every stream has got the change.');
    });
    const all = await Promise.race([arrived, late]);
    await changed;
    if (change >= 0) delays.push(...all);
    // Not in step with the looks of the service.
    await wait(300 + Math.random() * 400);
  }
  closeAll(streams);
  delays.sort((a, b) => a - b);
  const quantile = (share: number) => delays[Math.min(delays.length - 1, Math.floor(share * delays.length))] ?? NaN;
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), maxMs: quantile(1) };
}

const subscription = JSON.stringify({
  query: 'subscription { changes { changes { kind op nodeId node { ... on Event { title dressCode } } } nextCursor } }',
});

/** Half of them over REST, half over GraphQL, in turn on each service. All have their first event. */
async function openStreams(services: readonly Service[], { key }: Business, count: number): Promise<Stream[]> {
  const streams: Stream[] = [];
  for (let index = 0; index < count; index += 50)
    streams.push(
      ...(await Promise.all(
        Array.from({ length: 50 }, (_, place) =>
          openStream(services[(index + place) % services.length]!.origin, key, Math.floor(place / 2) % 2 === 0),
        ),
      )),
    );
  return streams;
}

function openStream(origin: string, key: string, isRest: boolean): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const call = request(`${origin}${isRest ? '/v1/changes/stream' : '/graphql'}`, {
      agent: false,
      method: isRest ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        ...(!isRest && { 'content-type': 'application/json' }),
      },
    });
    call.once('response', (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream got ${answer.statusCode}`));
      const stream: Stream = { onEvent: () => resolve(stream), close: () => void answer.destroy() };
      answer.on('data', (chunk: Buffer) => {
        if (chunk.includes('data: ')) stream.onEvent();
      });
      answer.on('error', () => undefined);
    });
    call.once('error', reject);
    call.end(isRest ? undefined : subscription);
  });
}
