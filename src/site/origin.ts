import type { FastifyRequest } from 'fastify';
import { isHttps } from '../http/headers.ts';

/** The address that examples are written with. Pages show the reader's own in its place. */
export const writtenOrigin = 'http://127.0.0.1:4000';

/**
 * The origin as the reader's browser sees it, for commands to copy. `requireReadable` has refused host names with
 * characters that a shell or HTML would interpret.
 */
export function originOf(request: FastifyRequest): string {
  return `${isHttps(request) ? 'https' : 'http'}://${request.host}`;
}
