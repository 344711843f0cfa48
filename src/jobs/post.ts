import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { limits } from '../config/limits.ts';
import { isRefusedByAgent, refused, TargetRefused, type Target } from './targets.ts';

export interface Answer {
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  /** The first bytes of the answer of a receiver that did not accept the message; otherwise empty. */
  readonly text: string;
}

export const isSuccess = ({ statusCode }: Answer): boolean => statusCode >= 200 && statusCode < 300;

/** The attempt was given up because the process stops. It says nothing about the receiver. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/**
 * Posts a body and returns the answer. Redirects are answers. The whole attempt has a time limit, and of the answer only
 * the first bytes are read, so a receiver can hold neither for long nor much. Rejects with a reason for the owner of the endpoint.
 */
export function post(
  { url, agent }: Target,
  { headers, body }: { readonly headers: Record<string, string>; readonly body: string },
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request: ClientRequest = send(url, {
      agent,
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      insecureHTTPParser: false,
    });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const fail = (error: Error) => {
      end(() => reject(error));
      request.destroy();
    };
    const onAbort = () => fail(new Abandoned());
    const timer = setTimeout(() => fail(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) return onAbort();

    let isAnswered = false;
    request.on('error', (error) => !isAnswered && fail(describe(error)));
    request.on('close', () => !isAnswered && fail(new Error('the connection was closed before an answer')));
    request.on('upgrade', () => fail(new Error('the receiver switched protocols')));
    request.on('response', (response) => {
      const { statusCode = 0, headers: answered } = response;
      const retryAfter = answered['retry-after'];
      if (statusCode < 100) return fail(new Error('the answer is not HTTP'));
      isAnswered = true;
      const isAccepted = statusCode >= 200 && statusCode < 300;
      // The message has arrived. The rest of the answer only decides whether the connection can be used again.
      if (isAccepted) end(() => resolve({ statusCode, retryAfter, text: '' }));
      readBeginning(response, (text) => {
        if (!response.complete) request.destroy();
        if (!isAccepted) end(() => resolve({ statusCode, retryAfter, text }));
      });
    });
    request.end(body);
  });
}

/** Reads an answer until it ends, breaks, is longer than what is kept, or takes too long. */
function readBeginning(response: IncomingMessage, onRead: (text: string) => void): void {
  let bytes = Buffer.alloc(0);
  let isDone = false;
  const done = () => {
    clearTimeout(timer);
    if (isDone) return;
    isDone = true;
    // PostgreSQL stores no NUL.
    onRead(bytes.toString('utf8').replaceAll('\0', '\uFFFD'));
  };
  const timer = setTimeout(done, limits.shortWaitMs);
  response.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]).subarray(0, limits.webhookAnswerBytes);
    if (bytes.length < limits.webhookAnswerBytes) return;
    response.pause();
    done();
  });
  response.on('end', done);
  response.on('error', done);
  response.on('close', done);
}

function describe(error: NodeJS.ErrnoException): Error {
  if (error instanceof TargetRefused) return error;
  if (isRefusedByAgent(error)) return refused(error);
  const reason = error.message || error.code || 'the connection failed';
  return new Error(reason.replaceAll('\0', '\uFFFD').slice(0, limits.remarkChars), { cause: error });
}
