import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Double {
  readonly origin: string;
  /** Number of calls that the proxy refused itself. */
  refused(): number;
  close(): Promise<void>;
}

interface Faults {
  /** Calls that are answered as if this credential had made them. */
  readonly servesAs?: { readonly credential: string; readonly when: (call: string) => boolean };
  /** Number of first calls that are refused with 429. */
  readonly spent?: number;
}

/** Starts a proxy that passes calls to an instance, with faults. A call is matched as `GET /path` and its body. */
export async function startDouble(instance: string, { servesAs, spent = 0 }: Faults): Promise<Double> {
  let refused = 0;
  const server: Server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      if (refused < spent) {
        refused++;
        response.writeHead(429, { 'retry-after': '1' }).end();
        return;
      }
      const call = `${request.method} ${request.url} ${body}`;
      const isServedAs = servesAs?.when(call) === true;
      const answer = await fetch(new URL(request.url ?? '/', instance), {
        method: request.method ?? 'GET',
        headers: {
          authorization: isServedAs ? `Bearer ${servesAs.credential}` : String(request.headers.authorization),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body }),
      });
      const text = await answer.text();
      const kept = ['content-type', 'x-request-id'].map((name) => [name, answer.headers.get(name) ?? '']);
      response.writeHead(answer.status, Object.fromEntries(kept) as Record<string, string>).end(text);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
