import { randomUUID } from 'node:crypto';
import { request, type Agent } from 'node:https';
import type { Proxy } from './proxies.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Without one, a body is sent with a key of its own. */
  readonly idempotencyKey?: string;
}

/** Sends one request through a proxy that speaks TLS. */
export function askThrough(proxy: Proxy, agent: Agent, call: Call, as: string): Promise<Answer> {
  const { method, path, body, idempotencyKey = randomUUID() } = call;
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${as}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }),
    };
    const sent = request(
      { agent, port: proxy.port, host: '127.0.0.1', ca: proxy.ca, method, path, headers },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += String(chunk)));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }));
      },
    );
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
