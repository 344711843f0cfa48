import { setTimeout as wait } from 'node:timers/promises';
import { attemptLimits, limits } from '../../config/limits.ts';

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface ApiReply {
  readonly status: number;
  /** Parsed JSON, or the text if it is not JSON. */
  readonly body: unknown;
  /** Status, headers and body as received, without values that differ between equal requests. */
  readonly bytes: string;
}

export interface GraphQLBody {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

/** A running instance as seen with one credential. */
export interface Instance {
  call(call: ApiCall): Promise<ApiReply>;
  query(query: string, variables?: object): Promise<GraphQLBody>;
  /** Number of calls made so far, including those that were repeated because of the rate limit. */
  calls(): number;
}

/** Headers that differ between equal requests; an ETag may depend on the request. */
const volatileHeaders = new Set([
  ...['date', 'age', 'connection', 'keep-alive', 'server-timing', 'traceparent', 'x-request-id'],
  ...['x-ratelimit-remaining', 'x-ratelimit-reset', 'etag'],
]);

export const graphqlCall = (query: string, variables: object = {}): ApiCall => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});

/** Opens an instance. A call that meets the rate limit waits as long as the instance says and is repeated. */
export function openInstance(origin: string, credential: string, note: (text: string) => void): Instance {
  let calls = 0;
  const send = async ({ method, path, body }: ApiCall): Promise<Response> => {
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
      signal: AbortSignal.timeout(limits.commandWaitMs),
    });
  };
  const call = async (made: ApiCall): Promise<ApiReply> => {
    for (let limited = 0; ; limited++) {
      const response = await send(made);
      const text = await response.text();
      if (response.status !== 429) return toReply(response, text);
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      if (limited === limits.triesMax || !(seconds <= attemptLimits.logIn[0].windowS))
        throw new Error(`${origin} keeps answering 429 to ${made.method} ${made.path}.`);
      note(`The rate limit is reached: continuing in ${seconds} s.`);
      await wait(seconds * 1000);
    }
  };
  return {
    call,
    query: async (query, variables) => (await call(graphqlCall(query, variables))).body as GraphQLBody,
    calls: () => calls,
  };
}

function toReply(response: Response, text: string): ApiReply {
  const { status, headers } = response;
  const shown = [...headers].filter(([name]) => !volatileHeaders.has(name)).map(([name, value]) => `${name}: ${value}`);
  const requestId = headers.get('x-request-id');
  const body = requestId ? text.replaceAll(requestId, 'the id of the request') : text;
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '');
  return { status, body: isJson ? parseJson(text) : text, bytes: [String(status), ...shown, '', body].join('\n') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
