import { createClient, type ExecutionResult, type RequestParams, type Sink } from 'graphql-sse';

/** Opens a subscription; the function that it returns ends it. */
export type Subscribe = (request: RequestParams, sink: Sink<ExecutionResult>) => () => void;

/** Opens subscriptions as streams of events. One that is interrupted goes on behind the last page that has come. */
export function createSubscribe(url: string, fetch: typeof globalThis.fetch): Subscribe {
  const client = createClient({ url, fetchFn: fetch, retryAttempts: 10 });
  return (request, sink) => {
    // Sent again with each attempt.
    const variables: Record<string, unknown> = { ...request.variables };
    return client.subscribe(
      { ...request, variables },
      {
        ...sink,
        next: (result) => {
          const { nextCursor } = (result.data?.['changes'] ?? {}) as { nextCursor?: string };
          if (nextCursor !== undefined) variables['after'] = nextCursor;
          sink.next(result as ExecutionResult);
        },
      },
    );
  };
}
