import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { signingSecretsOf } from '../../src/access/tokens.ts';
import { createSecretBox, webhookKeysOf } from '../../src/access/secret-box.ts';
import type { Business, Prisma, WebhookEndpoint } from '../../src/generated/prisma/client.ts';
import type { RetrySchedule } from '../../src/jobs/schedule.ts';
import type { TestDatabase } from './database.ts';

/* Receivers of webhooks, and endpoints as the management API stores them. */

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // oxlint-disable-next-line no-explicit-any -- tests look into messages freely
  readonly body: any;
  readonly text: string;
}

export interface Receiver {
  readonly origin: string;
  /** Messages so far, in the order of their arrival. */
  readonly received: readonly Received[];
  /** Replaces the answer, which is 204. */
  answer: (message: Received, response: ServerResponse) => unknown;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const body = JSON.parse(text) as { type: string };
      const { headers, url = '' } = request;
      const message = { id: String(headers['webhook-id']), type: body.type, path: url, headers, body, text };
      received.push(message);
      void receiver.answer(message, response);
    });
  });
  const origin = await listen(server);
  const receiver: Receiver = {
    origin,
    received,
    answer: (_message, response) => response.writeHead(204).end(),
    close: () => closeServer(server),
  };
  return receiver;
}

/** A server that answers with bytes of its own. It counts the connections, and the bytes that it could send. */
export async function startTcpReceiver(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    onConnection(socket);
    // Without it, the end of the other side would not be seen.
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countConnections: () => connections,
    countOpen: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

/** Encrypts a secret as the service does. */
export function sealSecret({ config }: Pick<TestDatabase, 'config'>, secret: string): string {
  const { webhooks, ...rest } = config();
  return createSecretBox(webhookKeysOf(webhooks.keys, signingSecretsOf({ webhooks, ...rest }))).seal(secret);
}

/** Stores an endpoint that gets everything that happens from now on. */
export async function createEndpoint(
  database: Pick<TestDatabase, 'prisma' | 'config'>,
  { id: businessId }: Pick<Business, 'id'>,
  {
    secret = newSecret(),
    ...more
  }: Partial<Prisma.WebhookEndpointUncheckedCreateInput> & { url: string; secret?: string },
): Promise<WebhookEndpoint & { plainSecret: string }> {
  const { prisma } = database;
  const newest = await prisma.commit.findFirst({ where: { businessId }, orderBy: { revision: 'desc' } });
  const endpoint = await prisma.webhookEndpoint.create({
    data: { businessId, types: [], revision: newest?.revision ?? 0n, ...more, secret: sealSecret(database, secret) },
  });
  return { ...endpoint, plainSecret: secret };
}

/** Checks the signature of a message as receivers do, and returns the body. Throws if it is wrong. */
export function verify({ text, headers }: Received, secret: string): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}

/** Retries without waits. */
export const atOnce: RetrySchedule = {
  delaysMs: Array.from({ length: 9 }, () => 0),
  jitter: 0,
  retryAfterMaxMs: 86_400_000,
  failingMaxMs: 5 * 86_400_000,
};

/** Waits until a condition holds. The time-out tells one that never will from a busy machine. */
export async function until<T>(
  find: () => T | Promise<T>,
  { timeoutMs = 120_000 } = {},
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found) return found as Exclude<T, false | null | undefined>;
    if (Date.now() > deadline) throw new Error(`${find.toString()} did not come true`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
