import { setTimeout as wait } from 'node:timers/promises';
import type { Tenant, Factories } from './factories.ts';

/** Writes and reads of several callers at once, each remembered with how it was answered. */
export interface Load {
  readonly attempts: readonly Attempt[];
  /** Starts nothing new, and waits for the answers to what runs. */
  stop(): Promise<void>;
}

export type Kind = 'create' | 'copy' | 'change' | 'assign' | 'list' | 'query';

export interface Attempt {
  readonly kind: Kind;
  /** Key of a write, by which its stored row is found. */
  readonly key: string;
  /** Start in milliseconds by `performance.now()`. */
  readonly startedAt: number;
  readonly ms: number;
  /**
   * 'unavailable': refused just as it should be, and not carried out; 'unknown': the answer says that nobody knows; 'cut': the
   * connection ended without an answer.
   */
  readonly outcome: 'done' | 'unavailable' | 'unknown' | 'cut' | 'wrong';
  /** The answer of a failed call. */
  readonly detail: string;
}

/** Rows that the load works on, in a business of its own. */
export interface LoadScene {
  readonly tenant: Tenant;
  readonly source: string;
  readonly changed: string;
  readonly assigned: string;
  readonly positionId: number;
}

/** Rows that hang on the event to be copied, and so on each copy of it. */
export const copied = { callTimes: 3, workShifts: 2, customFields: 2 };

/** The zones that an event goes to and fro between; its call times go with it. */
export const zones = ['America/New_York', 'Europe/London'] as const;

export async function createLoadScene(factories: Factories): Promise<LoadScene> {
  const { createTenant, createEvent, createCallTime, createShift, createPosition, createCustomField } = factories;
  const tenant = await createTenant('enterprise');
  const position = await createPosition(tenant.business);
  const [source, changed, assigned] = await Promise.all([
    createEvent(tenant.business, { title: 'source' }),
    createEvent(tenant.business, { title: 'changed 0', dressCode: '0', description: '0' }),
    createEvent(tenant.business, { title: 'assigned' }),
  ]);
  for (let index = 0; index < copied.callTimes; index++) await createCallTime(source, { positionId: position.id });
  for (let index = 0; index < copied.workShifts; index++)
    await createShift(source, tenant.staff, { positionId: position.id });
  for (let index = 0; index < copied.customFields; index++)
    await factories.setCustomValue(source, await createCustomField(tenant.business), `value ${index}`);
  for (let index = 0; index < 2; index++) await createCallTime(changed, { positionId: position.id });
  // Every assignment clashes with this one, and so stores the reason why it stands: its key.
  await createShift(assigned, tenant.staff, { positionId: position.id });
  return {
    tenant,
    source: source.uuid,
    changed: changed.uuid,
    assigned: assigned.uuid,
    positionId: position.id,
  };
}

const times = { start_time: '2026-12-05 18:00:00', end_time: '2026-12-05 23:00:00' };

/**
 * Six callers, one for each kind; `pauseMs` apart, so that the rate limit of the business is not used up. `origins`: who takes calls at the time. `from`: the number of the last
 * attempt of a load before.
 */
export function startLoad(
  origins: () => readonly string[],
  scene: LoadScene,
  { pauseMs = 30, from = 0 }: { pauseMs?: number; from?: number } = {},
): Load {
  const attempts: Attempt[] = [];
  const stopping = new AbortController();
  let count = from;
  const { tenant, source, changed, assigned, positionId } = scene;
  const call = callerOf(tenant.as.key);
  const reason = (key: string) => ({ override: { reason: key } });

  const work: Record<Kind, (origin: string, key: string) => Promise<Reply>> = {
    create: (origin, key) =>
      call.rest(origin, 'POST', '/v1/events', { title: key, ...times, timezone: zones[0] }, { 'idempotency-key': key }),
    copy: (origin, key) =>
      call.graphql(
        origin,
        'mutation ($uuid: ID!, $input: CopyEventInput!, $key: String) { copyEvent(id: $uuid, input: $input, idempotencyKey: $key) { event { uuid } } }',
        { uuid: source, input: { days: count, title: key, withShifts: true, ...reason(key) }, key },
      ),
    change: (origin, key) => {
      const number = key.replace(/.* /, '');
      const sent = { title: key, dress_code: number, description: number, timezone: zones[Number(number) % 2] };
      return call.rest(origin, 'PUT', `/v1/events/${changed}`, sent);
    },
    assign: (origin, key) =>
      call.graphql(origin, 'mutation ($input: AssignShiftInput!) { assignShift(input: $input) { shift { uuid } } }', {
        input: {
          eventId: assigned,
          positionId,
          userId: tenant.staff.id,
          startTime: null,
          endTime: null,
          ...reason(key),
        },
      }),
    list: (origin) => call.rest(origin, 'GET', '/v1/events?per_page=20&sort_order=desc'),
    query: (origin) =>
      call.graphql(origin, '{ events(perPage: 20) { nodes { title callTimes { uuid } workShifts { uuid } } } }', {}),
  };

  const caller = async (kind: Kind) => {
    while (!stopping.signal.aborted) {
      const key = `${kind === 'change' ? 'changed' : kind} ${++count}`;
      const taking = origins();
      const origin = taking[count % taking.length] as string;
      const startedAt = performance.now();
      const { outcome, detail } = await work[kind](origin, key);
      attempts.push({ kind, key, startedAt, ms: performance.now() - startedAt, outcome, detail });
      await wait(pauseMs);
    }
  };
  const callers = (Object.keys(work) as Kind[]).map(caller);
  return {
    attempts,
    stop: async () => {
      stopping.abort();
      await Promise.all(callers);
    },
  };
}

type Reply = Pick<Attempt, 'outcome' | 'detail'> & { body: unknown };

/** Calls a service, and judges its answers: done, or unavailable in so many words, or wrong. */
export function callerOf(credential: string) {
  const send = async (url: string, init: RequestInit, judge: (answer: Response, body: never) => Reply['outcome']) => {
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
      text = await answer.text();
    } catch (error) {
      const isLate = (error as Error).name === 'TimeoutError';
      return {
        outcome: isLate ? ('wrong' as const) : ('cut' as const),
        detail: `${String(error)} ${String((error as Error).cause)}`,
        body: null,
      };
    }
    const body = parsed(text);
    const outcome = judge(answer, body as never);
    return { outcome, detail: outcome === 'wrong' ? `${answer.status} ${text.slice(0, 500)}` : '', body };
  };
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };

  return {
    rest: (origin: string, method: string, path: string, body?: object, more: Record<string, string> = {}) =>
      send(
        origin + path,
        { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) },
        (answer, { success, data, code, message }: RestBody) => {
          if (answer.ok) return success === true ? 'done' : 'wrong';
          const isAsAgreed = success === false && data === null && isText(message);
          if (isAsAgreed && answer.status === 500 && code === 'OUTCOME_UNKNOWN') return 'unknown';
          const isNotExecuted = answer.headers.get('callboard-not-executed') === 'true';
          return isAsAgreed && code === 'UNAVAILABLE' && saysWhen(answer) && isNotExecuted ? 'unavailable' : 'wrong';
        },
      ),
    graphql: (origin: string, query: string, variables: object) =>
      send(
        `${origin}/graphql`,
        { method: 'POST', headers, body: JSON.stringify({ query, variables }) },
        (answer, { errors }: GraphqlBody) => {
          if (answer.status === 200 && !errors) return 'done';
          const isRead = errors?.some(({ path = [] }) => path.length > 1);
          const isAsAgreed = errors?.every(({ message, extensions }) => {
            const { code, retryAfter = 0 } = extensions ?? {};
            if (code === 'OUTCOME_UNKNOWN') return isText(message);
            // Refused at the door, it has the status and the header; in a field, the words alone.
            return code === 'UNAVAILABLE' && isText(message) && (saysWhen(answer) || retryAfter >= 1);
          });
          if (!isAsAgreed || (answer.status !== 200 && !saysWhen(answer))) return 'wrong';
          // What failed to be read may have been written before.
          return isRead || errors?.some(({ extensions }) => extensions?.code !== 'UNAVAILABLE')
            ? 'unknown'
            : 'unavailable';
        },
      ),
  };
}

interface RestBody {
  success?: unknown;
  data?: unknown;
  code?: unknown;
  message?: unknown;
}

interface GraphqlBody {
  errors?: { message?: unknown; path?: unknown[]; extensions?: { code?: unknown; retryAfter?: number } }[];
}

const saysWhen = (answer: Response) => answer.status === 503 && Number(answer.headers.get('retry-after')) >= 1;

const isText = (message: unknown) => typeof message === 'string' && message !== '';

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
