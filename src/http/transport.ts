import type { FastifyRequest } from 'fastify';

/** Whether the client came over https: to us, or to the trusted proxy next to us. */
export const isHttps = (request: FastifyRequest): boolean => request.protocol.toLowerCase() === 'https';

/**
 * Whether nobody but this machine can have read along. What a proxy on this machine hands on comes from loopback too, so
 * a header of a proxy, trusted or not, or a host that is another's name tells against it.
 */
export function isOnLoopback({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded-.+)$/.test(name));
  return !isForwarded && loopbackAddress.test(socket.remoteAddress ?? '') && loopbackHost.test(headers.host ?? '');
}

const loopbackAddress = /^(::ffff:)?127\.|^::1$/;
const loopbackHost = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;
