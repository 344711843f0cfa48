import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../errors.ts';
import { refusalHeaders } from './answer-headers.ts';
import { statusByCode } from './failures.ts';
import { serializeFailure } from './replies.ts';

/** By what Node calls them; whatever else it cannot read is malformed. */
const known: Record<string, Failure> = {
  HPE_HEADER_OVERFLOW: new Failure('HEADERS_TOO_LARGE', 'The headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new Failure('REQUEST_TIMEOUT', 'The request did not arrive in time.'),
};
const malformed = new Failure('BAD_REQUEST', 'The request is malformed.');

/** Answers what is no request, or not in time, and closes: it has no address, and so no surface, no budget and no id. */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return;
  // Node decides by the same: what has begun to be answered is cut off rather than answered twice.
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  // Without TLS where it is spoken there is nobody to answer: what is written waits for the handshake for ever.
  const isUnheard = error.code === 'ECONNRESET' || /^(ERR_TLS_|ERR_SSL_|EPROTO)/.test(error.code ?? '');
  if (isUnheard || answer?.headersSent) return void socket.destroy();
  const failure = known[error.code ?? ''] ?? malformed;
  const status = statusByCode[failure.code];
  const body = JSON.stringify(serializeFailure(failure, ''));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...Object.entries(refusalHeaders).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ];
  socket.end(lines.join('\r\n'), () => socket.destroy());
}

/** Requests that Node would answer by itself go the way of all others; a CONNECT is for a proxy, and none here. */
export function takeFromNode({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket: Socket) => refuseUnread(new Error('CONNECT'), socket));
}
