import type { FastifyRequest } from 'fastify';

/** Whether the client used https, either to this process or to the trusted proxy in front of it. */
export const isHttps = (request: FastifyRequest): boolean => request.protocol.toLowerCase() === 'https';

/**
 * Whether the request cannot have left this machine. A proxy on this machine also connects from loopback, so any proxy
 * header, trusted or not, and any host name other than a loopback one mean that it may have.
 */
export function isOnLoopback({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded-.+)$/.test(name));
  return !isForwarded && loopbackAddress.test(socket.remoteAddress ?? '') && loopbackHost.test(headers.host ?? '');
}

const loopbackAddress = /^(::ffff:)?127\.|^::1$/;
const loopbackHost = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;
