import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { writeProbe } from './databases.ts';

/* Clients under which the leader of the database is taken away. All of them stop by themselves once `isOver` says so. */

export interface Target {
  /** Addresses of the processes. */
  readonly origins: readonly string[];
  readonly token: string;
  readonly isOver: () => boolean;
}

const answerMs = 15_000;

const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };

interface Written {
  readonly status: number;
  readonly uuid?: string;
  /** Whether the answer says that nothing was done. */
  readonly isNotExecuted?: boolean;
}

async function createEvent(origin: string, token: string, title: string, key: string | null): Promise<Written> {
  try {
    const answer = await fetch(`${origin}/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key !== null && { 'idempotency-key': key }),
      },
      body: JSON.stringify({ title, ...times }),
      signal: AbortSignal.timeout(answerMs),
    });
    const body = (await answer.json()) as { data?: { uuid?: string } };
    const isNotExecuted = answer.headers.get('callboard-not-executed') === 'true';
    return { status: answer.status, isNotExecuted, ...(body.data?.uuid !== undefined && { uuid: body.data.uuid }) };
  } catch {
    return { status: 0 };
  }
}

/**
 * Writes one event after the other, each until it is acknowledged. Every second writer sends an idempotency key; the others send an
 * event again only after an answer that says that nothing was done. Returns uuids by title.
 */
export async function write({ origins, token, isOver }: Target, writer: number): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  for (let number = 0; !isOver(); number++) {
    const title = `Event ${number} of writer ${writer}`;
    const key = writer % 2 === 0 ? randomUUID() : null;
    for (let attempt = writer; ; attempt++) {
      const { status, uuid, isNotExecuted } = await createEvent(origins[attempt % origins.length]!, token, title, key);
      if (status === 201 && uuid !== undefined) {
        acknowledged.set(title, uuid);
        break;
      }
      if (status >= 400 && status < 500 && status !== 409) throw new Error(`${title} got ${status}`);
      if (key === null && !isNotExecuted) break;
      await wait(100);
    }
    await wait(20);
  }
  return acknowledged;
}

/** When something was asked, and when it was answered, in milliseconds. */
export interface Probe {
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly isAnswered: boolean;
}

const everyMs = 200;
const waitingMax = 20;

/** Asks again and again, whether or not what was asked before is answered, unless too much of it is not. */
async function probe(ask: () => Promise<boolean>, isOver: () => boolean): Promise<Probe[]> {
  const probes: Promise<Probe>[] = [];
  let waiting = 0;
  while (!isOver()) {
    const askedAt = Date.now();
    const end = (isAnswered: boolean): Probe => {
      waiting--;
      return { askedAt, answeredAt: Date.now(), isAnswered };
    };
    if (waiting < waitingMax) {
      waiting++;
      probes.push(ask().then(end, () => end(false)));
    }
    await wait(everyMs);
  }
  return Promise.all(probes);
}

/** Writes to PostgreSQL itself, through HAProxy, without the service. */
export const probeDatabase = (isOver: () => boolean): Promise<Probe[]> =>
  probe(async () => {
    await writeProbe();
    return true;
  }, isOver);

/** Writes to one process of the service, without a second attempt. */
export const probeService = (origin: string, { token, isOver }: Target): Promise<Probe[]> =>
  probe(async () => (await createEvent(origin, token, 'Probe', randomUUID())).status === 201, isOver);

export interface Followed {
  /** UUIDs of the events that the stream told of. */
  readonly uuids: Set<string>;
  /** Times that the stream was opened anew, and times that its cursor had expired. */
  opened: number;
  expired: number;
}

/** Follows the stream of changes of one process as a client does: with the last cursor after each end. */
export function follow(origin: string, { token, isOver }: Target): { seen: Followed; ended: Promise<void> } {
  const seen: Followed = { uuids: new Set(), opened: 0, expired: 0 };
  const ended = (async () => {
    let cursor: string | undefined;
    while (!isOver()) {
      seen.opened++;
      try {
        cursor = await readStream(origin, token, cursor, seen, isOver);
      } catch (error) {
        if (error instanceof Expired) {
          seen.expired++;
          cursor = undefined;
        } else if (error instanceof Broken) cursor = error.cursor;
      }
      await wait(200);
    }
  })();
  return { seen, ended };
}

class Expired extends Error {}

class Broken extends Error {
  constructor(readonly cursor: string | undefined) {
    super('The stream is broken.');
  }
}

/** A stream on which nothing comes for as long is dead; its comments come every 12 seconds. */
const silenceMs = 15_000;

async function readStream(
  origin: string,
  token: string,
  after: string | undefined,
  seen: Followed,
  isOver: () => boolean,
): Promise<string | undefined> {
  let cursor = after;
  try {
    const stopping = new AbortController();
    let timer = setTimeout(() => stopping.abort(), silenceMs);
    const answer = await fetch(`${origin}/v1/changes/stream?kinds=event`, {
      headers: { authorization: `Bearer ${token}`, ...(after !== undefined && { 'last-event-id': after }) },
      signal: stopping.signal,
    });
    if (answer.status === 410) throw new Expired();
    if (!answer.ok || !answer.body) return cursor;
    let text = '';
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      if (isOver()) {
        stopping.abort();
        return cursor;
      }
      timer = setTimeout(() => stopping.abort(), silenceMs);
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) cursor = readBlock(block, seen) ?? cursor;
    }
    clearTimeout(timer);
    return cursor;
  } catch (error) {
    if (error instanceof Expired) throw error;
    throw new Broken(cursor);
  }
}

/** Notes the events that a block tells of. Returns its cursor. */
function readBlock(block: string, { uuids }: Followed): string | undefined {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  if (fields.get('event') !== 'changes') return undefined;
  const { changes } = JSON.parse(fields.get('data') ?? '') as { changes: { uuid: string }[] };
  for (const { uuid } of changes) uuids.add(uuid);
  return fields.get('id');
}
