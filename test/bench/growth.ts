import type { Request } from 'autocannon';
import { graphql, rest, ask } from './requests.ts';
import type { Business, Scene } from './scene.ts';
import type { Service } from './service.ts';
import { documents } from './shapes.ts';
import { medianTimes } from './timed.ts';

/** Median times in ms, one request at a time, each computed afresh. */
export interface Growth {
  readonly events: number;
  readonly seedS: number | null;
  readonly page1Ms: number;
  readonly page1Of1000Ms: number;
  readonly restPage1Ms: number;
  readonly restPage1Of1000Ms: number;
  readonly keyset1000Ms: number;
  readonly restPage1000Ms: number;
}

const perPage = 15;
const deepPage = 1000;

/** Null: the scene has no business that has grown. */
export async function measureGrowth(scene: Scene, service: Service, reads: number): Promise<Growth | null> {
  const { grown, thousand } = scene;
  if (!grown) return null;
  const cursor = await cursorBehind(service.origin, grown, (deepPage - 1) * perPage);
  const readers = {
    page1Ms: page(grown, null),
    page1Of1000Ms: page(thousand, null),
    restPage1Ms: () => rest.get(grown.key, rest.afresh(`/v1/events?per_page=${perPage}`)),
    restPage1Of1000Ms: () => rest.get(thousand.key, rest.afresh(`/v1/events?per_page=${perPage}`)),
    keyset1000Ms: page(grown, cursor),
    restPage1000Ms: () => rest.get(grown.key, rest.afresh(`/v1/events?per_page=${perPage}&page=${deepPage}`)),
  };
  return { events: grown.events, seedS: grown.seedS, ...(await medianTimes(service.origin, readers, reads)) };
}

let serial = 0;

/** The first page, or the one behind a cursor: with a filter that keeps every event and was never sent before. */
function page({ key }: Business, after: string | null): () => Request {
  const send = graphql(documents.service.board, key);
  return () =>
    send({ first: perPage, after, filter: { startsFrom: new Date(Date.UTC(1972, 0, 1) + serial++).toISOString() } });
}

async function cursorBehind(origin: string, { key }: Business, count: number): Promise<string> {
  const send = graphql(
    `
      query Walk($first: Int, $after: String) {
        events(first: $first, after: $after, sort: { by: START, order: ASC }) {
          pageInfo {
            endCursor
          }
        }
      }
    `,
    key,
  );
  let after: string | null = null;
  for (let passed = 0; passed < count;) {
    const first = Math.min(100, count - passed);
    const { bytes } = await ask(origin, send({ first, after }));
    const { data } = JSON.parse(bytes.toString()) as { data: { events: { pageInfo: { endCursor: string } } } };
    after = data.events.pageInfo.endCursor;
    passed += first;
  }
  return after ?? '';
}
