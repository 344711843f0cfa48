import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../../config/limits.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  /** Parsed where it is JSON, else text. */
  readonly body: unknown;
  /** Status, headers and body as they came, without what differs from moment to moment. */
  readonly bytes: string;
}

export interface GraphQLBody {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

/** A running instance as the holder of one credential sees it. */
export interface Instance {
  call(call: Call): Promise<Reply>;
  query(query: string, variables?: object): Promise<GraphQLBody>;
  /** Calls made so far, those that met a spent budget and were repeated as well. */
  calls(): number;
}

/** Or from one request to another: a tag may name what was asked for. */
const ofTheMoment = new Set([
  ...['date', 'age', 'connection', 'keep-alive', 'server-timing', 'traceparent', 'x-request-id'],
  ...['x-ratelimit-remaining', 'x-ratelimit-reset', 'etag'],
]);

export const graphqlCall = (query: string, variables: object = {}): Call => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});

/** Where the budget is spent, a call waits as long as the instance says, and is made again. */
export function openInstance(origin: string, credential: string, note: (text: string) => void): Instance {
  let calls = 0;
  const send = async ({ method, path, body }: Call): Promise<Response> => {
    calls++;
    return fetch(new URL(path, origin), {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(limits.proofAnswerMs),
    });
  };
  const call = async (made: Call): Promise<Reply> => {
    for (let spent = 0; ; spent++) {
      const response = await send(made);
      const text = await response.text();
      if (response.status !== 429) return replyOf(response, text);
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      if (spent === limits.proofSpentInARowMax || !(seconds <= limits.proofWaitS))
        throw new Error(`${origin} keeps answering 429 to ${made.method} ${made.path}.`);
      note(`The budget is spent: going on in ${seconds} s.`);
      await wait(seconds * 1000);
    }
  };
  return {
    call,
    query: async (query, variables) => (await call(graphqlCall(query, variables))).body as GraphQLBody,
    calls: () => calls,
  };
}

function replyOf(response: Response, text: string): Reply {
  const { status, headers } = response;
  const shown = [...headers].filter(([name]) => !ofTheMoment.has(name)).map(([name, value]) => `${name}: ${value}`);
  const requestId = headers.get('x-request-id');
  const body = requestId ? text.replaceAll(requestId, 'the id of the request') : text;
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '');
  return { status, body: isJson ? parsed(text) : text, bytes: [String(status), ...shown, '', body].join('\n') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
