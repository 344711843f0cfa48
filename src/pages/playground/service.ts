import type { Variables } from './live.ts';

/* How the page talks to the service: GraphQL by POST, and nothing else. */

export interface Question {
  readonly query: string;
  readonly variables?: Variables | undefined;
  readonly operationName?: string | null | undefined;
}

export interface ServiceError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    /** What is wrong with each field of an input. */
    readonly errors?: Record<string, readonly string[]>;
  };
}

export interface Result {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly ServiceError[];
}

/** What the headers of an answer say is left. */
export interface Budget {
  readonly limit: number;
  readonly remaining: number;
  /** When it is full again, by the clock of this browser. */
  readonly fullAtMs: number;
}

export interface Answer {
  readonly result: Result;
  readonly budget: Budget | null;
  /** The credential was refused, or the budget spent. */
  readonly refused: 'UNAUTHENTICATED' | 'RATE_LIMITED' | null;
  /** What to wait where the service asks for it. */
  readonly retryAfterS: number | null;
  readonly elapsedMs: number;
}

export const unreachable = 'The service cannot be reached. Check the connection and try again.';

/** Asks in GraphQL; throws only where no answer comes. */
export async function ask(question: Question, credential: string | null, signal?: AbortSignal): Promise<Answer> {
  const startedMs = performance.now();
  const response = await post(question, credential, 'application/json', signal);
  const result = await resultOf(response);
  const codes = result.errors?.map(({ extensions }) => extensions?.code) ?? [];
  const retryAfter = response.headers.get('retry-after');
  return {
    result,
    budget: budgetOf(response),
    refused: codes.includes('UNAUTHENTICATED')
      ? 'UNAUTHENTICATED'
      : response.status === 429 || codes.includes('RATE_LIMITED')
        ? 'RATE_LIMITED'
        : null,
    retryAfterS: retryAfter === null ? null : Number(retryAfter),
    elapsedMs: performance.now() - startedMs,
  };
}

export type Download =
  | { readonly file: Blob; readonly name: string; readonly budget: Budget | null }
  | { readonly result: Result; readonly budget: Budget | null };

/** The same question with the answer as CSV, which the service makes; what it cannot put into a table it says. */
export async function askForCsv(question: Question, credential: string | null): Promise<Download> {
  const response = await post(question, credential, 'text/csv');
  const budget = budgetOf(response);
  if (!response.ok || !response.headers.get('content-type')?.startsWith('text/csv'))
    return { result: await resultOf(response), budget };
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { file: await response.blob(), name: name ?? 'callboard.csv', budget };
}

async function post(
  { query, variables, operationName }: Question,
  credential: string | null,
  accept: string,
  signal?: AbortSignal,
): Promise<Response> {
  try {
    return await fetch('/graphql', {
      method: 'POST',
      headers: {
        accept,
        'content-type': 'application/json',
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
      },
      body: JSON.stringify({ query, variables, ...(operationName && { operationName }) }),
      credentials: 'omit',
      cache: 'no-store',
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error(unreachable, { cause: error });
  }
}

async function resultOf(response: Response): Promise<Result> {
  try {
    return (await response.json()) as Result;
  } catch {
    return { errors: [{ message: `The service answered ${response.status} without saying more.` }] };
  }
}

function budgetOf({ headers }: Response): Budget | null {
  const [limit, remaining, resetS] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  if (!limit || !remaining) return null;
  return { limit: Number(limit), remaining: Number(remaining), fullAtMs: Date.now() + Number(resetS ?? 0) * 1000 };
}

/** One line for the first error, with what is wrong with each field. */
export function explain({ errors = [] }: Result): string | null {
  const [error] = errors;
  if (!error) return null;
  const fields = Object.entries(error.extensions?.errors ?? {}).map(([field, texts]) => `${field}: ${texts.join(' ')}`);
  return [error.message, ...fields].join(' ');
}
