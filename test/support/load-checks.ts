import { callerOf, copied, zones, type Attempt, type Kind, type LoadScene } from './load.ts';

interface StoredEvent {
  readonly uuid: string;
  readonly title: string;
  readonly dressCode: string | null;
  readonly description: string | null;
  readonly timezone: string;
  readonly callTimes: { startTime: string; start: { utc: string } }[];
  readonly workShifts: { overrideReason: string | null }[];
  readonly customFields: { fieldValue: string | null }[];
}

/** Acknowledged and stored writes of a load, and every mismatch between them. */
export interface Findings {
  readonly acknowledged: number;
  readonly stored: number;
  /** Answered by 503. */
  readonly unavailable: number;
  /** Writes of unknown outcome that are stored. */
  readonly storedUnanswered: number;
  readonly wrong: string[];
}

const writes: readonly Kind[] = ['create', 'copy', 'assign'];

/** Reads all that the business has through the service, and holds it against what the service said. */
export async function findingsOf(origin: string, scene: LoadScene, attempts: readonly Attempt[]): Promise<Findings> {
  const events = await readEvents(origin, scene);
  const wrong = attempts.flatMap(({ kind, key, outcome, detail }) =>
    outcome === 'wrong' ? [`${kind} "${key}" was answered ${detail}`] : [],
  );
  const find = (uuid: string) => events.find((event) => event.uuid === uuid);
  const reasons = find(scene.assigned)?.workShifts.flatMap(({ overrideReason }) => overrideReason ?? []) ?? [];
  const titles = events.map(({ title }) => title);
  const stored = [...reasons, ...titles].filter((key) => writes.some((kind) => key.startsWith(`${kind} `)));

  const tried = new Map(attempts.filter(({ kind }) => writes.includes(kind)).map((attempt) => [attempt.key, attempt]));
  for (const { key, outcome } of tried.values())
    if (outcome === 'done' && !stored.includes(key)) wrong.push(`"${key}" was acknowledged and is lost`);
  for (const key of new Set(stored)) {
    if (!tried.has(key)) wrong.push(`"${key}" is stored and was never sent`);
    if (tried.get(key)?.outcome === 'unavailable') wrong.push(`"${key}" was refused and is stored`);
    if (stored.indexOf(key) !== stored.lastIndexOf(key)) wrong.push(`"${key}" is stored twice`);
  }
  for (const event of events.filter(({ title }) => title.startsWith('copy '))) wrong.push(...partsMissing(event));
  wrong.push(...changeFindings(find(scene.changed), attempts));

  const isUnanswered = (key: string) => tried.get(key)?.outcome !== 'done';
  return {
    acknowledged: attempts.filter(
      ({ kind, outcome }) => (writes.includes(kind) || kind === 'change') && outcome === 'done',
    ).length,
    stored: stored.length,
    unavailable: attempts.filter(({ outcome }) => outcome === 'unavailable').length,
    storedUnanswered: stored.filter(isUnanswered).length,
    wrong,
  };
}

/** A copy is one transaction: it has all that the original has. */
function partsMissing(event: StoredEvent): string[] {
  return Object.entries(copied).flatMap(([part, count]) => {
    const found = event[part as keyof typeof copied].length;
    return found === count ? [] : [`"${event.title}" has ${found} of ${count} ${part}`];
  });
}

/** A change sets several columns and moves the call times: all of the last one, which is none before the last acknowledged. */
function changeFindings(event: StoredEvent | undefined, attempts: readonly Attempt[]): string[] {
  if (!event) return ['the changed event is lost'];
  const numberOf = (key: string) => Number(key.replace(/.* /, ''));
  const number = numberOf(event.title);
  const changes = attempts.filter(({ kind }) => kind === 'change');
  const lastDone = Math.max(0, ...changes.flatMap(({ key, outcome }) => (outcome === 'done' ? [numberOf(key)] : [])));
  const found: string[] = [];
  if (number < lastDone) found.push(`change ${lastDone} was acknowledged, and ${number} is stored`);
  if (number > 0 && !changes.some(({ key }) => key === event.title)) found.push(`change ${number} was never sent`);
  const [zone, hour] = number % 2 === 0 ? [zones[0], '21'] : [zones[1], '16'];
  const isWhole =
    event.dressCode === String(number) &&
    event.description === String(number) &&
    event.timezone === zone &&
    event.callTimes.length === 2 &&
    event.callTimes.every(({ startTime, start }) => startTime.includes('16:00') && start.utc.includes(`T${hour}:00`));
  if (!isWhole) found.push(`change ${number} is half there: ${JSON.stringify(event)}`);
  return found;
}

async function readEvents(origin: string, { tenant }: LoadScene): Promise<StoredEvent[]> {
  const { graphql } = callerOf(tenant.as.key);
  const events: StoredEvent[] = [];
  for (let after: string | null = null; ;) {
    const { outcome, detail, body } = await graphql(
      origin,
      `
        query ($after: String) {
          events(first: 100, after: $after) {
            pageInfo {
              hasNextPage
              endCursor
            }
            nodes {
              uuid
              title
              dressCode
              description
              timezone
              callTimes {
                startTime
                start {
                  utc
                }
              }
              workShifts {
                overrideReason
              }
              customFields {
                fieldValue
              }
            }
          }
        }
      `,
      { after },
    );
    if (outcome !== 'done') throw new Error(`not read: ${outcome} ${detail}`);
    const { nodes, pageInfo } = (body as { data: { events: Page } }).data.events;
    events.push(...nodes);
    if (!pageInfo.hasNextPage) return events;
    after = pageInfo.endCursor;
  }
}

interface Page {
  readonly nodes: StoredEvent[];
  readonly pageInfo: { hasNextPage: boolean; endCursor: string };
}
