import { limits } from '../config/limits.ts';

/** A control character takes six bytes in JSON; every other character takes less. */
export const bytesPerCharMax = 6;

type TextBytes = (text: string) => number;

const atMost: TextBytes = (text) => bytesPerCharMax * text.length + 2;

/** The bytes of a text as JSON.stringify writes it, without writing it: an answer to be refused repeats long texts many times. */
const exactly: TextBytes = (text) => {
  let bytes = 2;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += asciiBytes[unit] as number;
    else if (unit < 0x800) bytes += 2;
    else if (!isSurrogate(unit)) bytes += 3;
    else if (isHigh(unit) && isLow(text.charCodeAt(at + 1))) {
      bytes += 4;
      at++;
    } else bytes += bytesPerCharMax;
  }
  return bytes;
};

/** The bytes of each ASCII character: JSON has short escapes for some, and a long one for other control characters. */
const asciiBytes = Uint8Array.from({ length: 0x80 }, (_, unit) => JSON.stringify(String.fromCharCode(unit)).length - 2);
const isSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xe000;
const isHigh = (unit: number) => unit < 0xdc00;
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

/**
 * Bytes that a value takes in JSON, of plain objects, lists and scalars. An upper bound, which is cheap, and only if that exceeds `max`
 * almost exactly. Infinity if the JSON is longer than `max`.
 */
export function measureJson(value: unknown, max: number): number {
  let left = subtract(value, max, atMost);
  if (left < 0) left = subtract(value, max, exactly);
  return left < 0 ? Infinity : max - left;
}

/** Subtracts the bytes of a value in JSON from a number of bytes, and stops below zero. */
function subtract(value: unknown, bytes: number, measureText: TextBytes): number {
  if (typeof value === 'string') return bytes - measureText(value);
  if (typeof value !== 'object' || value === null) return bytes - scalarBytes;
  let left = bytes - brackets;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      left = subtract(item, left - separator, measureText);
      if (left < 0) return left;
    }
    return left;
  }
  for (const key in value) {
    left = subtract((value as Readonly<Record<string, unknown>>)[key], left - key.length - keyMarks, measureText);
    if (left < 0) return left;
  }
  return left;
}

/** Brackets of a list or object; a comma; quotation marks, colon and comma of a key; and the longest number. */
const brackets = 2;
const separator = 1;
const keyMarks = 4;
const scalarBytes = 25;

/**
 * Writes JSON piece by piece, so that a long text is never in memory as a whole. Values that JSON leaves out are left out of objects,
 * too.
 */
export function* stringifyPieces(value: unknown): Generator<string> {
  let piece = '';
  for (const part of parts(value)) {
    piece += part;
    if (piece.length < limits.answerPieceChars) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* parts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    let mark = '[';
    for (const item of value as unknown[]) {
      yield mark;
      yield* parts(item);
      mark = ',';
    }
    yield mark === '[' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    let mark = '{';
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue;
      yield `${mark}${JSON.stringify(key)}:`;
      yield* parts(inner);
      mark = ',';
    }
    yield mark === '{' ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}
