import type { Request } from 'autocannon';
import { setTimeout as wait } from 'node:timers/promises';
import { places } from './places.ts';
import { ask, graphql, newEvent, rest, serviceBoard, turns, uuidsOf } from './requests.ts';
import { fillForRoad } from './scene.ts';
import { startService } from './service.ts';
import { documents } from './shapes.ts';

/** The files and functions of this project that run for one request. */
export interface Road {
  readonly files: readonly string[];
  readonly functions: number;
  /** Number of the functions that have a name. */
  readonly named: number;
}

/** By the name of the request. */
export type Roads = Readonly<Record<keyof typeof mostFiles, Road>>;

/** The most files that may run for each request. */
export const mostFiles = { 'POST /v1/events': 40, 'REST list': 45, 'GraphQL event': 50, 'GraphQL board': 50 } as const;

/** Before all events that are made. */
const beforeAll = Date.UTC(2020, 0, 1);

const warmUps = 5;
const rounds = 5;
/** Work that follows an answer, such as its line in the log, is part of the request. */
const settleMs = 100;

/**
 * Counts the files and functions of the service that run for one request, by V8's precise coverage of its sources. Each request is
 * sent several times, afresh, and only functions that ran each time count, so nothing that runs by a timer does.
 */
export async function measureRoads(databaseUrl: string): Promise<Roads> {
  const business = await fillForRoad(databaseUrl);
  const service = await startService(
    { DATABASE_URL: databaseUrl, TSX_TSCONFIG_PATH: places.tsconfig },
    { args: ['--import', places.tsx, places.contender('road')], answers: true },
  );
  try {
    const uuids = await uuidsOf(service.origin, business);
    const turn = turns(uuids.length);
    const event = graphql(documents.service.event, business.key);
    const board = serviceBoard(business);
    let count = 0;
    const requests: Record<keyof Roads, () => Request> = {
      'POST /v1/events': () => rest.send(business.key, 'POST', '/v1/events', newEvent(count++)),
      'REST list': () => rest.get(business.key, rest.afresh(rest.list(1, 15))),
      'GraphQL event': () => event({ uuid: uuids[turn() - 1] ?? '' }),
      'GraphQL board': () => board(15, new Date(beforeAll + count++).toISOString()),
    };
    const roadOf = async (next: () => Request): Promise<Road> => {
      let common: readonly string[] | null = null;
      for (let round = -warmUps; round < rounds; round++) {
        await service.ask('take');
        const { bytes } = await ask(service.origin, next());
        if (bytes.includes('"errors":')) throw new Error(bytes.toString());
        await wait(settleMs);
        const ran = new Set(await service.ask<string[]>('take'));
        if (round >= 0) common = [...(common ?? ran)].filter((line) => ran.has(line));
      }
      const parts = (common ?? []).map((line) => line.split(':'));
      return {
        files: [...new Set(parts.map(([file = '']) => file))].sort(),
        functions: parts.length,
        named: parts.filter(([, name]) => name !== '').length,
      };
    };
    const roads: [string, Road][] = [];
    for (const [name, next] of Object.entries(requests)) roads.push([name, await roadOf(next)]);
    return Object.fromEntries(roads) as unknown as Roads;
  } finally {
    await service.stop();
  }
}

export const filesOf = (roads: Roads): string =>
  Object.entries(roads)
    .map(([name, { files }]) => `${name}\n${files.map((file) => `  ${file}`).join('\n')}`)
    .join('\n\n');
