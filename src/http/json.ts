import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { limits } from '../config/limits.ts';
import { Failure } from '../errors.ts';

/**
 * Reads the body of a request as text, without the byte order mark that some clients send first. Throws
 * PAYLOAD_TOO_LARGE for more than a request without a credential needs, UNSUPPORTED_MEDIA_TYPE for another charset than UTF-8, and BAD_REQUEST for bytes that are not UTF-8: they would be read as
 * U+FFFD, and stored so.
 */
export function readText({ headers, record: { actor } }: FastifyRequest, body: Buffer): string {
  if ((actor?.kind ?? 'anonymous') === 'anonymous' && body.length > limits.anonymousBodyBytes)
    throw new Failure(
      'PAYLOAD_TOO_LARGE',
      `The body is too large: without a credential, it may have at most ${limits.anonymousBodyBytes} bytes.`,
    );
  if (!isLabelledUtf8(headers['content-type'] ?? ''))
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8, sent as application/json.');
  if (!isUtf8(body)) throw new Failure('BAD_REQUEST', 'The body is not valid UTF-8.');
  return body.toString('utf8', startsWithMark(body) ? markBytes : 0);
}

const markBytes = 3;
const startsWithMark = (body: Buffer): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;

/** Whether a content type has no charset, or only the charset UTF-8. */
function isLabelledUtf8(contentType: string): boolean {
  const charsets = contentType.matchAll(/;\s*charset\s*=\s*("[^"]*"|[^;]*)/gi);
  return [...charsets].every(([, charset = '']) => /^"?utf-?8"?$/i.test(charset.trim()));
}

/** Strings and numbers in a text that is known to be JSON. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

const plain = /^(0|-?[1-9]\d*)$/;

/** JSON.parse reads this as Infinity, which every schema refuses. */
const none = '1e999';

/**
 * Returns the JSON with every whole number that is not written in plain digits made invalid. `JSON.parse` cannot tell
 * 1E2, 1.0 and -0 from 100, 1 and 0; here they become a value that every check refuses. Must not be used for input that
 * allows fractions.
 */
export const withPlainNumbers = (json: string): string =>
  json.replace(tokens, (token) =>
    token.startsWith('"') || plain.test(token) || !Number.isInteger(Number(token)) ? token : none,
  );
