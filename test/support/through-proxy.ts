import { request, type Agent } from 'node:https';
import type { Proxy } from './proxies.ts';

export interface ProxiedAnswer {
  readonly status: number;
  readonly body: string;
  /** Whether the answer says that nothing was done. */
  readonly isNotExecuted: boolean;
}

export interface ProxiedCall {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

/** Sends one request through a proxy that speaks TLS. */
export function askThrough(proxy: Proxy, agent: Agent, call: ProxiedCall, as: string): Promise<ProxiedAnswer> {
  const { method, path, body, idempotencyKey } = call;
  const text = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${as}`,
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const sent = request(
      { agent, port: proxy.port, host: '127.0.0.1', ca: proxy.ca, method, path, headers },
      (answer) => {
        let answered = '';
        answer.on('data', (chunk) => (answered += String(chunk)));
        answer.on('error', reject);
        const isNotExecuted = answer.headers['callboard-not-executed'] === 'true';
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: answered, isNotExecuted }));
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}
