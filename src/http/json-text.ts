import { limits } from '../config/limits.ts';

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
