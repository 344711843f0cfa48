import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What goes over a socket, byte by byte. */
export type Wire = string | Buffer;

export interface Sent {
  /** A bearer credential. */
  readonly as?: string | undefined;
  /** Text goes as it is, all else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A request as a well-behaved client writes it, save for what is asked for. A header set to '' is left out. */
export function written(method: string, path: string, { as, body, headers = {} }: Sent = {}): string {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    host: 'localhost',
    connection: 'close',
    ...(as !== undefined && { authorization: `Bearer ${as}` }),
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => (value === '' ? [] : [`${name}: ${value}`])),
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text ?? ''}`;
}

export interface WireAnswer {
  /** 0 where nothing came. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or text. */
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly body: any;
  /** All that came, as it came. */
  readonly text: string;
  /** Whether the service closed the connection. */
  readonly isClosed: boolean;
}

/** A connection to the service. */
export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // A reset shows in what was received.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** All that comes, until the service closes or the time is up. */
export async function answerOf(socket: Socket, patienceMs = 8000): Promise<WireAnswer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => void chunks.push(chunk));
  const timer = setTimeout(() => socket.destroy(new Error('out of patience')), patienceMs);
  const isClosed = await new Promise<boolean>((resolve) => {
    socket.once('end', () => resolve(true));
    socket.once('close', (hadError) => resolve(!hadError));
  });
  clearTimeout(timer);
  socket.destroy();
  return { ...parsed(Buffer.concat(chunks).toString()), isClosed };
}

export async function exchange(port: number, wire: Wire, patienceMs?: number): Promise<WireAnswer> {
  const socket = await open(port);
  socket.write(wire);
  return answerOf(socket, patienceMs);
}

function parsed(text: string) {
  const final = text.replace(/^(HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)+/, '');
  const [head = '', ...rest] = final.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  ) as Record<string, string>;
  const sent = rest.join('\r\n\r\n');
  const body = headers['transfer-encoding'] === 'chunked' ? unchunked(sent) : sent;
  const isJson = headers['content-type']?.includes('json') ?? false;
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: isJson && body ? JSON.parse(body) : body, text };
}

function unchunked(text: string): string {
  const [size = '0'] = text.split('\r\n', 1);
  const length = parseInt(size, 16);
  const start = size.length + 2;
  return length > 0 ? text.slice(start, start + length) + unchunked(text.slice(start + length + 2)) : '';
}
