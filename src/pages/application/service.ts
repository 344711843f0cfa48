import { readMessages } from '../console/messages/messages.ts';

/* Talks to the service: GraphQL by POST only. */

export type Variables = Record<string, unknown>;

export interface GraphQLRequest {
  readonly query: string;
  readonly variables?: Variables | undefined;
  readonly operationName?: string | null | undefined;
  /** Asks for the measured cost in `extensions.cost`. */
  readonly asksCost?: boolean;
}

export interface ServiceError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    /** Messages by input field. */
    readonly errors?: Record<string, readonly string[]>;
    /** Rules that stand against a change. */
    readonly clashes?: readonly { readonly kind: string }[];
  };
}

export interface Result {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly ServiceError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The rate limit as the answer's headers report it. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** When the rate limit is reset, by this browser's clock. */
  readonly fullAtMs: number;
}

export interface ServiceAnswer {
  readonly result: Result;
  readonly rateLimit: RateLimit | null;
  /** Set if the credential was refused or the rate limit was reached. */
  readonly refused: 'UNAUTHENTICATED' | 'RATE_LIMITED' | null;
  /** Seconds to wait if the service asks for it, otherwise null. */
  readonly retryAfterS: number | null;
  readonly elapsedMs: number;
  /** Entity tag of the answer; null if it may not be stored. */
  readonly etag: string | null;
  /** Whether the answer with the tag that was sent still holds. `result` is empty then. */
  readonly isUnchanged: boolean;
}

/** No answer came from the service. */
export class Unreachable extends Error {
  override name = 'Unreachable';
  constructor(cause?: unknown) {
    super(readMessages().session.unreachable, { cause });
  }
}

/** Sends a GraphQL request; throws only if no answer arrives. `heldTag` is the entity tag of an answer that the caller holds. */
export async function sendQuery(
  request: GraphQLRequest,
  credential: string | null,
  signal?: AbortSignal,
  heldTag?: string | null,
): Promise<ServiceAnswer> {
  const startedMs = performance.now();
  const response = await post(request, credential, 'application/json', signal, heldTag);
  const isUnchanged = response.status === 304;
  const result = isUnchanged ? {} : await readResult(response);
  const codes = result.errors?.map(({ extensions }) => extensions?.code) ?? [];
  return {
    result,
    rateLimit: readRateLimit(response),
    refused: codes.includes('UNAUTHENTICATED')
      ? 'UNAUTHENTICATED'
      : response.status === 429 || codes.includes('RATE_LIMITED')
        ? 'RATE_LIMITED'
        : null,
    retryAfterS: readRetryAfter(response),
    elapsedMs: performance.now() - startedMs,
    etag: response.headers.get('etag'),
    isUnchanged,
  };
}

/** Seconds after which the service may be asked again; null if it named none. */
export function readRetryAfter({ headers }: Response): number | null {
  const value = headers.get('retry-after');
  return value === null ? null : Number(value);
}

export type Download =
  | { readonly file: Blob; readonly name: string; readonly rateLimit: RateLimit | null }
  | { readonly result: Result; readonly rateLimit: RateLimit | null };

/** Sends a GraphQL request that asks for CSV. If the result cannot be a table, the answer contains the errors. */
export async function sendCsvQuery(request: GraphQLRequest, credential: string | null): Promise<Download> {
  const response = await post(request, credential, 'text/csv');
  const rateLimit = readRateLimit(response);
  if (!response.ok || !response.headers.get('content-type')?.startsWith('text/csv'))
    return { result: await readResult(response), rateLimit };
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { file: await response.blob(), name: name ?? 'callboard.csv', rateLimit };
}

async function post(
  { query, variables, operationName, asksCost }: GraphQLRequest,
  credential: string | null,
  accept: string,
  signal?: AbortSignal,
  heldTag?: string | null,
): Promise<Response> {
  try {
    return await fetch('/graphql', {
      method: 'POST',
      headers: {
        accept,
        'content-type': 'application/json',
        ...(asksCost && { 'x-graphql-cost': '1' }),
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(heldTag && { 'if-none-match': heldTag }),
      },
      body: JSON.stringify({ query, variables, ...(operationName && { operationName }) }),
      credentials: 'omit',
      cache: 'no-store',
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable(error);
  }
}

async function readResult(response: Response): Promise<Result> {
  try {
    return (await response.json()) as Result;
  } catch {
    return { errors: [{ message: readMessages().session.unclear(response.status) }] };
  }
}

export function readRateLimit({ headers }: Response): RateLimit | null {
  const [limit, remaining, resetS] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  if (!limit || !remaining) return null;
  return { limit: Number(limit), remaining: Number(remaining), fullAtMs: Date.now() + Number(resetS ?? 0) * 1000 };
}

/** The first error in one line, with the messages of each field; null without errors. */
export function describeErrors({ errors = [] }: Result): string | null {
  const [error] = errors;
  if (!error) return null;
  const fields = Object.entries(error.extensions?.errors ?? {}).map(([field, texts]) => `${field}: ${texts.join(' ')}`);
  return [error.message, ...fields].join(' ');
}
