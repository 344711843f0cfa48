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

/** A control character takes six bytes in JSON; every other character takes less. */
export const bytesPerCharMax = 6;

/** Brackets of a list or object; a comma; quotation marks, colon and comma of a key; and the longest number. */
const brackets = 2;
const separator = 1;
const keyMarks = 4;
const scalarBytes = 25;

/** Whether the JSON of a value can be longer than `bytesMax`, by an upper bound that takes a fraction of the time of the JSON. */
export const mayExceed = (value: unknown, bytesMax: number): boolean => subtract(value, bytesMax) < 0;

/** Subtracts the most bytes that a value can take in JSON, and stops below zero. */
function subtract(value: unknown, bytes: number): number {
  if (typeof value === 'string') return bytes - bytesPerCharMax * value.length - brackets;
  if (typeof value !== 'object' || value === null) return bytes - scalarBytes;
  let left = bytes - brackets;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if ((left = subtract(item, left - separator)) < 0) return left;
    return left;
  }
  for (const key in value) {
    left = subtract((value as Readonly<Record<string, unknown>>)[key], left - key.length - keyMarks);
    if (left < 0) return left;
  }
  return left;
}

/**
 * Writes JSON piece by piece and counts its bytes. Null as soon as they exceed `bytesMax`: an answer to be refused repeats long texts
 * many times. JSON.stringify takes a quarter of the time where the text is known to be short.
 */
export function writeJson(value: unknown, bytesMax: number): string | null {
  let text = '';
  let piece = '';
  let left = bytesMax;
  const endPiece = (): boolean => {
    left -= Buffer.byteLength(piece);
    text += piece;
    piece = '';
    return left >= 0;
  };
  const write = (part: string): boolean => {
    piece += part;
    return piece.length < limits.answerStepBytes || endPiece();
  };
  const writeValue = (item: unknown): boolean => {
    if (typeof item !== 'object' || item === null || 'toJSON' in item) return write(JSON.stringify(item) ?? 'null');
    const [open, close, isList] = Array.isArray(item) ? ['[', ']', true] : ['{', '}', false];
    let mark = open;
    for (const [key, inner] of Object.entries(item)) {
      // JSON leaves such fields out, and writes null for such items.
      if (inner === undefined && !isList) continue;
      if (!write(isList ? mark : `${mark}${JSON.stringify(key)}:`) || !writeValue(inner)) return false;
      mark = ',';
    }
    return write(mark === open ? open + close : close);
  };
  return writeValue(value) && endPiece() ? text : null;
}
