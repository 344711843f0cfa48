import type { Request } from 'autocannon';
import { ask, graphql } from './requests.ts';
import type { Business, Scene } from './scene.ts';
import type { Service } from './service.ts';
import { medianTimes } from './timed.ts';

/** Page 1 and the total of a filter; median times in ms, one request at a time, each computed afresh. */
export interface FilterTimes {
  /** Among 1,000 events. */
  readonly ofThousandMs: number;
  /** Among all events of the business that has grown. */
  readonly ofAllMs: number;
}

export type Filters = Readonly<Record<string, FilterTimes>>;

/** Null: the scene has no business that has grown. */
export async function measureFilters(scene: Scene, service: Service, reads: number): Promise<Filters | null> {
  const { grown, thousand } = scene;
  if (!grown) return null;
  const ofThousand = await readersOf({ ...thousand, events: 1000 }, service);
  const ofAll = await readersOf(grown, service);
  const filters: Record<string, FilterTimes> = {};
  for (const name of Object.keys(finds) as Filter[]) {
    const readers = { ofThousandMs: ofThousand[name], ofAllMs: ofAll[name] };
    for (const reader of Object.values(readers)) await requireFound(service, reader, name);
    filters[name] = await medianTimes(service.origin, readers, reads);
  }
  return filters;
}

const pageRows = 15;

/** How many events are on the page. A reader without a total is one that many more meet. */
const finds = {
  'text, one event': 1,
  'text, no event': 0,
  'city, no event': 0,
  'city, page of many': pageRows,
  'custom value, one event': 1,
  'coverageBelow, no event': 0,
  'coverageBelow, page of many': pageRows,
};

type Filter = keyof typeof finds;
type Readers = Record<Filter, () => Request>;

/** A filter that finds something else than its name says would measure something else. */
async function requireFound({ origin }: Service, reader: () => Request, name: Filter): Promise<void> {
  const { bytes } = await ask(origin, reader());
  const { data } = JSON.parse(bytes.toString()) as { data: { events: { nodes: unknown[] } } };
  const found = data.events.nodes.length;
  if (found !== finds[name]) throw new Error(`The filter "${name}" found ${found} events instead of ${finds[name]}.`);
}

const page = `query Filtered($filter: EventFilter, $first: Int) {
  events(first: $first, filter: $filter, sort: { by: START, order: ASC }) { totalCount nodes { uuid title startTime } } }`;

/** Filters that one event of either business meets, or none, with their total; and filters that many meet, without. */
async function readersOf({ key, events }: Business & { events: number }, { origin }: Service): Promise<Readers> {
  const send = graphql(page, key);
  const onlyPage = graphql(page.replace('totalCount ', ''), key);
  const { bytes } = await ask(origin, graphql('{ customFieldDefinitions { id name } }', key)({}));
  const { data } = JSON.parse(bytes.toString()) as { data: { customFieldDefinitions: { id: string; name: string }[] } };
  const orderNumber = data.customFieldDefinitions.find(({ name }) => name === 'Client PO number')?.id;
  let serial = 0;
  // From an instant before all events, so that no answer was given before.
  const from = () => new Date(Date.UTC(1972, 0, 1) + serial++).toISOString();
  const reader =
    (filter: object, request = send) =>
    () =>
      request({ first: pageRows, filter: { ...filter, startsFrom: from() } });
  return {
    'text, one event': reader({ text: `Annual Gala ${events - 5}` }),
    'text, no event': reader({ text: 'Zzyzx Road' }),
    'city, no event': reader({ city: 'Ultima Thule' }),
    'city, page of many': reader({ city: 'Chicago' }, onlyPage),
    'custom value, one event': reader({ customField: { fieldId: orderNumber, value: 'PO-10500' } }),
    'coverageBelow, no event': reader({ coverageBelow: 0.01 }),
    'coverageBelow, page of many': reader({ coverageBelow: 1 }, onlyPage),
  };
}
