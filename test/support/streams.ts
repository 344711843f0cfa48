import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { afterEach } from '@jest/globals';

/** An event of a stream, as its client reads it. */
export interface ReadEvent {
  readonly event: string;
  readonly id?: string;
  /** Parsed JSON; null if the event has no data. */
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly data: any;
}

export interface OpenStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Events so far. */
  readonly events: readonly ReadEvent[];
  /** Comments so far. */
  readonly comments: () => number;
  /** The last hint when to come back, in milliseconds. */
  readonly retryMs: () => number | undefined;
  /** The body, if the answer is no stream. */
  readonly text: () => string;
  /** Resolves with the first event that fits; throws if the stream ends before. */
  until(fits: (event: ReadEvent) => boolean): Promise<ReadEvent>;
  /** Resolves when a comment comes after those that came already. */
  nextComment(): Promise<void>;
  /** Resolves when the stream is over. */
  readonly ended: Promise<void>;
  /** Stops reading. */
  pause(): void;
  close(): void;
}

interface StreamRequest {
  readonly as?: string | undefined;
  readonly headers?: Record<string, string>;
  /** Makes it a POST with JSON. */
  readonly body?: object;
}

/** Opens a stream on a connection of its own. */
export function openStream(
  origin: string,
  path: string,
  { as, headers, body }: StreamRequest = {},
): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const call = request(origin + path, {
      agent: false,
      method: body ? 'POST' : 'GET',
      headers: {
        accept: 'text/event-stream',
        ...(as !== undefined && { authorization: `Bearer ${as}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    call.once('response', (answer) => resolve(readStream(answer)));
    call.once('error', reject);
    call.end(body && JSON.stringify(body));
  });
}

/** Opens a GraphQL subscription by POST. */
export const subscribe = (
  origin: string,
  query: string,
  { as, variables, headers = {} }: { as?: string; variables?: object; headers?: Record<string, string> } = {},
): Promise<OpenStream> => openStream(origin, '/graphql', { as, headers, body: { query, variables } });

function readStream(answer: IncomingMessage): OpenStream {
  const events: ReadEvent[] = [];
  const checks = new Set<() => void>();
  let text = '';
  let unread = '';
  let comments = 0;
  let retryMs: number | undefined;
  let isOver = false;

  const take = (block: string) => {
    const fields = { event: 'message', id: undefined as string | undefined, data: undefined as string | undefined };
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (name === '') comments++;
      else if (name === 'retry') retryMs = Number(value);
      else if (name === 'event' || name === 'id' || name === 'data') fields[name] = value;
    }
    const { id, data, event } = fields;
    if (data === undefined && event === 'message') return;
    events.push({ event, ...(id !== undefined && { id }), data: data ? (JSON.parse(data) as unknown) : null });
  };
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    text += chunk;
    const blocks = (unread + chunk).split('\n\n');
    unread = blocks.pop() ?? '';
    blocks.forEach(take);
    for (const check of checks) check();
  });
  const ended = new Promise<void>((resolve) => {
    answer.once('close', () => {
      isOver = true;
      resolve();
      for (const check of checks) check();
    });
  });
  answer.on('error', () => undefined);

  const waitFor = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const found = find();
        if (found === undefined && !isOver) return;
        checks.delete(check);
        if (found === undefined) reject(new Error(`The stream ended with ${JSON.stringify(events.at(-1))}: ${text}`));
        else resolve(found);
      };
      checks.add(check);
      check();
    });

  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    events,
    comments: () => comments,
    retryMs: () => retryMs,
    text: () => text,
    until: (fits) => waitFor(() => events.find(fits)),
    nextComment: async () => {
      const before = comments;
      await waitFor(() => (comments > before ? true : undefined));
    },
    ended,
    pause: () => void answer.socket.pause(),
    close: () => void answer.destroy(),
  };
}

/** Returns a function that keeps streams open until the end of the test which opened them. */
export function keepOpen(): (opening: Promise<OpenStream>) => Promise<OpenStream> {
  const opened: OpenStream[] = [];
  afterEach(() => {
    for (const stream of opened.splice(0)) stream.close();
  });
  return async (opening) => {
    const stream = await opening;
    opened.push(stream);
    return stream;
  };
}
