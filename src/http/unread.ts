import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../errors.ts';
import { refusalHeaders } from './answer-headers.ts';
import { isAnswering, isReadingPaused } from './connections.ts';
import { statusByCode } from './failures.ts';
import { serializeFailure } from './replies.ts';

/** Failures by the error code of Node's HTTP parser. Any other code means a malformed request. */
const known: Record<string, Failure> = {
  HPE_HEADER_OVERFLOW: new Failure('HEADERS_TOO_LARGE', 'The headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new Failure('REQUEST_TIMEOUT', 'The request did not arrive in time.'),
};
const malformed = new Failure('BAD_REQUEST', 'The request is malformed.');

/**
 * Answers a request that could not be parsed, or did not arrive in time, with the generic error body and closes the
 * connection.
 */
export function refuseUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return;
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isReadingPaused(socket)) return;
  // If plain HTTP arrives on a TLS port, an answer would wait for the TLS handshake for ever.
  const isUnheard = error.code === 'ECONNRESET' || /^(ERR_TLS_|ERR_SSL_|EPROTO)/.test(error.code ?? '');
  if (isUnheard || isAnswering(socket)) return void socket.destroy();
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

/** Passes requests that Node would refuse by itself to our handlers. CONNECT is meant for proxies and is refused. */
export function routeNodeRefusals({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket: Socket) => refuseUnreadableRequest(new Error('CONNECT'), socket));
}
