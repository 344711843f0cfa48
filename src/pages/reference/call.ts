import { readRateLimit, Unreachable } from '../application/service.ts';
import { noteRateLimit, readData, readSession } from '../application/session.ts';

/** An operation as src/site/reference/operation.ts writes it into the page. */
export interface CallForm {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  /** Whether it takes away what cannot be had back. */
  readonly isDestructive?: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly place: 'path' | 'query' | 'header';
    readonly isRequired: boolean;
    readonly value?: string;
  }[];
  readonly body?: unknown;
  /** Media types of the answer. */
  readonly accepts: readonly string[];
}

export interface Filled {
  /** By name of the parameter. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly accept: string;
}

export interface Received {
  readonly status: string;
  readonly elapsedMs: number;
  readonly headers: string;
  readonly text: string;
}

/** The address of a call, with the parameters that are filled in. */
function addressOf({ path, parameters }: CallForm, { values }: Filled): string {
  const query = new URLSearchParams();
  let address = path;
  for (const { name, place } of parameters) {
    const value = values[name] ?? '';
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'query' && value !== '') query.append(name, value);
  }
  return query.size > 0 ? `${address}?${query.toString()}` : address;
}

/** Sends a call as the current viewer, and reports the answer as it arrives: a stream of events has no end. */
export async function send(
  call: CallForm,
  filled: Filled,
  signal: AbortSignal,
  report: (received: Received) => void,
): Promise<void> {
  const { login } = readSession();
  const startedMs = performance.now();
  const response = await fetch(addressOf(call, filled), {
    method: call.method,
    headers: [
      ['accept', filled.accept],
      ...(filled.body === null ? [] : [['content-type', 'application/json']]),
      ...(login && !call.isPublic ? [['authorization', `Bearer ${login.credential}`]] : []),
      ...call.parameters.flatMap(({ name, place }) => {
        const value = filled.values[name] ?? '';
        return place === 'header' && value !== '' ? [[name, value]] : [];
      }),
    ] as [string, string][],
    ...(filled.body !== null && { body: filled.body }),
    credentials: 'omit',
    cache: 'no-store',
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new Unreachable(error);
  });
  const received = (text: string): Received => ({
    status: `${response.status} ${response.statusText}`.trim(),
    elapsedMs: performance.now() - startedMs,
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    text,
  });
  noteRateLimit(readRateLimit(response));
  let text = '';
  const decoder = new TextDecoder();
  report(received(text));
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true });
    report(received(text));
  }
  report(received(indent(text)));
  // A question as the viewer ends the session here if the credential is what was refused.
  if (response.status === 401 && login) await readData('{ viewer { name } }').catch(() => undefined);
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
