import { createClient, type ExecutionResult, type RequestParams, type Sink } from 'graphql-sse';

/** Opens a subscription; the function that it returns ends it. */
export type Subscribe = (request: RequestParams, sink: Sink<ExecutionResult>) => () => void;

/** The service sends something every 12 seconds, a comment at least. */
const silenceMs = 30_000;
const retryMs = 5_000;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Opens subscriptions as streams of events. One that is interrupted goes on behind the last page that has come, however long the
 * service is away. One whose cursor has expired begins anew, with a page that has no changes.
 */
export function createSubscribe(
  url: string,
  fetch: typeof globalThis.fetch,
  times = { silenceMs, retryMs },
): Subscribe {
  return (request, sink) => {
    // Sent again with each attempt.
    const variables: Record<string, unknown> = { ...request.variables };
    let refusal: number | undefined;
    const client = createClient({
      url,
      fetchFn: async (input: string, init: RequestInit) => {
        const response = await fetchAudibly(fetch, times.silenceMs, input, init);
        refusal = [400, 401, 403].includes(response.status) ? response.status : undefined;
        return response;
      },
      retryAttempts: Infinity,
      retry: async (retries) => {
        // It would be the same each time, as with a credential that has expired.
        if (refusal !== undefined) throw new Error(`The service refuses the subscription with status ${refusal}.`);
        await wait(Math.min(500 * 2 ** retries, times.retryMs) * (0.5 + Math.random()));
      },
    });
    let isEnded = false;
    const begin = () => {
      let isExpired = false;
      client.subscribe<Record<string, unknown>>(
        { ...request, variables },
        {
          next: (result) => {
            isExpired = result.errors?.some(({ extensions }) => extensions['code'] === 'CURSOR_EXPIRED') ?? false;
            if (isExpired) return;
            const page = result.data?.['changes'] as { changes?: unknown[]; nextCursor?: string } | undefined;
            const isResumed = typeof variables['after'] === 'string';
            if (page?.nextCursor !== undefined) variables['after'] = page.nextCursor;
            // Nothing was missed.
            if (isResumed && page?.changes?.length === 0) return;
            sink.next(result as ExecutionResult);
          },
          error: (error) => sink.error(error),
          complete: () => {
            if (!isExpired || isEnded) return sink.complete();
            variables['after'] = null;
            begin();
          },
        },
      );
    };
    begin();
    return () => {
      isEnded = true;
      client.dispose();
    };
  };
}

/** Sends a request, and breaks it off when nothing of its answer has come for a while. The client then connects again. */
async function fetchAudibly(
  fetch: typeof globalThis.fetch,
  ms: number,
  input: string,
  { signal, ...init }: RequestInit,
): Promise<Response> {
  const silence = new AbortController();
  const finish = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', finish);
  };
  const breakOff = () => {
    finish();
    silence.abort(new Error(`Nothing has come for ${ms} ms.`));
  };
  let timer = setTimeout(breakOff, ms);
  signal?.addEventListener('abort', finish);
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, stream) => {
      clearTimeout(timer);
      timer = setTimeout(breakOff, ms);
      stream.enqueue(chunk);
    },
    flush: finish,
  });
  try {
    const signals = signal ? [signal, silence.signal] : [silence.signal];
    const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    if (response.ok && response.body) return new Response(response.body.pipeThrough(heard), response);
    finish();
    return response;
  } catch (error) {
    finish();
    throw error;
  }
}
