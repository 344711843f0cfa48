import { ChangesDocument, RevisionDocument } from '../../generated/pages/application.ts';
import type { TypedDocument, VariablesOf } from './document.ts';
import { createClient } from 'graphql-sse';

/** The service sends something every 12 seconds, a comment at least. */
const silenceMs = 30_000;
const longestPauseMs = 5_000;

interface Hearer {
  /** Something has come, so that the stream is alive. */
  onSign?(): void;
  /** The service ends the stream, such as because the credential has ended. */
  onRefused?(): void;
  /** The stream is interrupted; it is opened again. */
  onLost?(): void;
}

export interface Follower extends Hearer {
  /** The data version of the business: at once, and after each change. */
  onRevision(revision: string): void;
}

const ignore = () => undefined;

/** Follows the data version of the business, over interruptions. Returns how to end it. */
export const followRevision = (credential: string, { onRevision, ...hearer }: Follower): (() => void) =>
  follow(credential, RevisionDocument, {}, hearer, (data) => onRevision(data.revision));

/** Follows changes of what the caller sees: `onBegin` at once and after each interruption, `onChange` after that. */
export function followChanges(
  credential: string,
  eventId: string | null,
  { onBegin, onChange, ...hearer }: Hearer & { readonly onBegin: () => void; readonly onChange: () => void },
): () => void {
  // The first page says that it begins, and has no changes.
  return follow(credential, ChangesDocument, { eventId }, hearer, ({ changes: { changes } }) =>
    (changes.length === 0 ? onBegin : onChange)(),
  );
}

function follow<Data, Taken>(
  credential: string,
  query: TypedDocument<Data, Taken>,
  variables: VariablesOf<Taken>,
  { onSign = ignore, onRefused = ignore, onLost = ignore }: Hearer,
  onData: (data: Data) => void,
): () => void {
  let isRefused = false;
  const client = createClient({
    url: '/graphql',
    headers: { authorization: `Bearer ${credential}` },
    credentials: 'omit',
    fetchFn: async (input: string, init: RequestInit) => {
      const response = await fetchAudibly(input, init, onSign);
      isRefused = [400, 401, 403].includes(response.status);
      return response;
    },
    retryAttempts: Infinity,
    retry: async (retries) => {
      onLost();
      // The answer would be the same each time, as with a credential that has expired.
      if (isRefused) throw new Error('The service refuses the stream.');
      const pauseMs = Math.min(500 * 2 ** retries, longestPauseMs) * (0.5 + Math.random());
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    },
  });
  client.subscribe<Data>(
    { query, variables },
    {
      next: ({ data }) => (data ? onData(data) : onRefused()),
      error: onLost,
      complete: onLost,
    },
  );
  return () => client.dispose();
}

/** Sends a request, and breaks it off when nothing of its answer has come for a while. */
async function fetchAudibly(input: string, { signal, ...init }: RequestInit, onSign: () => void): Promise<Response> {
  const silence = new AbortController();
  const breakOff = () => silence.abort(new Error(`Nothing has come for ${silenceMs} ms.`));
  let timer = setTimeout(breakOff, silenceMs);
  const finish = () => clearTimeout(timer);
  signal?.addEventListener('abort', finish);
  const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, stream) => {
      finish();
      timer = setTimeout(breakOff, silenceMs);
      onSign();
      stream.enqueue(chunk);
    },
    flush: finish,
  });
  try {
    const signals = signal ? [signal, silence.signal] : [silence.signal];
    const response = await fetch(input, { ...init, cache: 'no-store', signal: AbortSignal.any(signals) });
    if (response.ok && response.body) return new Response(response.body.pipeThrough(heard), response);
    finish();
    return response;
  } catch (error) {
    finish();
    throw error;
  }
}
