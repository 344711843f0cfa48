import { request, type Agent } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Scene } from './scene.ts';

export interface Answer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  /** The beginning of the body. */
  readonly head: string;
  /** Whether the answer has a code of an internal error, also beside data. */
  readonly isInternal: boolean;
  readonly isWhole: boolean;
}

export interface Sending {
  readonly as?: string;
  readonly body?: string | object;
  readonly headers?: Record<string, string>;
  /** The loopback address that the request comes from. */
  readonly from?: string;
}

/** The attacked service. */
export interface Target {
  readonly origin: string;
  readonly scene: Scene;
  readonly isShort: boolean;
  send(method: string, path: string, sending?: Sending): Promise<Answer>;
  graphql(query: string, sending?: Sending & { variables?: object }): Promise<Answer>;
  /** False when the time of the attack is over. */
  readonly goesOn: () => boolean;
}

const headBytes = 600;
const answerMs = 60_000;
const internal = /"code":"(INTERNAL|INTERNAL_SERVER_ERROR)"/;

/** Sends a request and reads the answer without keeping it. */
export function send(
  origin: string,
  agent: Agent,
  method: string,
  path: string,
  { as, body, headers, from }: Sending = {},
): Promise<Answer> {
  const startedAt = performance.now();
  const payload = typeof body === 'object' ? JSON.stringify(body) : body;
  return new Promise((resolve) => {
    let [status, bytes, head, isInternal, tail] = [0, 0, '', false, ''];
    const end = (isWhole: boolean) =>
      resolve({ status, bytes, head, isInternal, isWhole, ms: performance.now() - startedAt });
    const sent = request(
      origin + path,
      {
        method,
        agent: from === undefined ? agent : false,
        ...(from !== undefined && { localAddress: from }),
        timeout: answerMs,
        headers: {
          ...(as !== undefined && { authorization: `Bearer ${as}` }),
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
          ...headers,
        },
      },
      (answer) => {
        status = answer.statusCode ?? 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          const text = chunk.toString('latin1');
          if (head.length < headBytes) head += text.slice(0, headBytes);
          isInternal ||= internal.test(tail + text);
          tail = text.slice(-50);
        });
        answer.on('end', () => end(true));
        answer.on('error', () => end(false));
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => end(false));
    sent.end(payload);
  });
}

/** Headers of the trusted proxy on loopback, which passes on a request from this address. */
export const proxied = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });

export const unique = () => randomUUID();

/** Several callers at a time, each one request after the other until the time is over or so many have been sent. */
export async function inParallel(
  target: Target,
  callers: number,
  call: (caller: number, turn: number) => Promise<unknown>,
  max = Infinity,
) {
  let sent = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = 0; sent < max && (turn === 0 || target.goesOn()); turn++) {
        sent++;
        await call(caller, turn);
      }
    }),
  );
}

/** A GraphQL document with the same field under many aliases. */
export const repeated = (count: number, field: (index: number) => string) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(' ')} }`;
