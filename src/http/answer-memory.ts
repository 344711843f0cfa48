import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { RowBound } from '../db/engine/statement-count.ts';
import { AnswerTooLarge, overBound, type Failure } from '../errors.ts';
import { Counts } from '../fair-queue.ts';
import { bytesPerCharMax } from './json.ts';

/** Memory of a row, beside its text, for each of its cells; and of an object in a GraphQL answer. */
const cellBytes = 32;
const objectBytes = 256;

/** Points that the objects of an answer, or of all events of a stream, cost beside the point of the request. */
export function pointsOfObjects(objects: number): number {
  return Math.max(0, Math.floor(objects / limits.objectsAPoint) - 1);
}

/** Bounds the memory of all answers under way in this process, and the share of each business, so that no caller can exhaust it. */
export class AnswerMemory {
  /** Largest JSON, or page of an export, in bytes. */
  readonly answerBytesMax: number;
  /** Memory that all answers hold together. */
  bytes = 0;
  readonly #bytesMax: number;
  readonly #bytesByPayer = new Counts<number>();

  constructor({ bytesMax, memoryBytes }: Pick<Config['answers'], 'bytesMax' | 'memoryBytes'>) {
    this.answerBytesMax = bytesMax;
    this.#bytesMax = memoryBytes;
  }

  bytesOf(payer: number): number {
    return this.#bytesByPayer.of(payer);
  }

  hasRoom(payer: number, bytes: number, isSmall = false): boolean {
    const most = isSmall ? this.#bytesMax : (this.#bytesMax * 2) / 3;
    return this.bytes + bytes <= most && this.bytesOf(payer) + bytes <= most / 2;
  }

  /** Counts memory that an answer takes, whether or not there is room; negative if it gives memory back. */
  hold(payer: number, bytes: number): void {
    this.bytes += bytes;
    this.#bytesByPayer.add(payer, bytes);
  }
}

/**
 * Memory that the answer to one request takes: rows as they arrive from the database, objects as GraphQL hands them out, and the text.
 * Once a bound is exceeded, the request is refused, whatever else happens to it.
 */
export class AnswerSize implements RowBound {
  refusal: Failure | null = null;
  objects = 0;
  /** Rows that were read for it, also those that it does not show. */
  rows = 0;
  /** The business that the answer is for; 0 stands for all callers without a credential. Set before the answer holds memory. */
  payer = 0;
  readonly #memory: AnswerMemory;
  #rowBytes = 0;
  #bytes = 0;
  /** Memory that is counted for this answer, in whole steps. */
  #held = 0;
  #isClosed = false;

  constructor(memory: AnswerMemory) {
    this.#memory = memory;
  }

  get bytesMax(): number {
    return this.#memory.answerBytesMax;
  }

  /** Upper bound of the JSON that shows each row that was read once: a character takes six bytes at most, and a key less than a cell. */
  get rowsAsJsonBytes(): number {
    return bytesPerCharMax * this.#rowBytes;
  }

  takeRow(bytes: number, cells: number): boolean {
    if (this.refusal) return false;
    const size = bytes + cells * cellBytes;
    this.#rowBytes += size;
    const max = 2 * this.bytesMax;
    return this.#rowBytes > max ? this.#refuse(new AnswerTooLarge('rowBytes', max)) : this.#take(size);
  }

  noteRows(count: number): void {
    this.rows += count;
  }

  /** Counts objects of a GraphQL answer. False if the answer must not hold them; `hintOf` then says where they are. */
  takeObjects<Place>(count: number, hintOf: (place: Place) => string, place: Place): boolean {
    if (this.refusal) return false;
    if (this.objects + count > limits.graphqlObjects) return this.refuseObjects(hintOf(place));
    this.objects += count;
    return this.#take(count * objectBytes);
  }

  /** Notes that the answer would have too many objects. */
  refuseObjects(hint?: string): false {
    return this.#refuse(new AnswerTooLarge('objects', limits.graphqlObjects, hint));
  }

  /** Counts text that is about to be sent. Throws UNAVAILABLE, unless the text is a refusal itself. */
  takeText({ length }: string): void {
    if (!this.refusal && !this.#take(length)) throw this.refusal as unknown as Failure;
  }

  /** Notes that the answer would be too long, and returns the refusal. */
  refuseLength(): Failure {
    this.#refuse(new AnswerTooLarge('bytes', this.bytesMax));
    return this.refusal!;
  }

  /** Whether a large answer can begin: the payer holds nothing, or leaves room for the rows and the text of one. */
  hasRoom(): boolean {
    return this.#memory.bytesOf(this.payer) === 0 || this.#memory.hasRoom(this.payer, 2 * this.bytesMax);
  }

  /** Holds memory for events that wait for the client of a stream, in place of all that was taken to make them. */
  holdUnsent(bytes: number): void {
    this.restart();
    this.#hold(bytes);
  }

  /** Forgets what was taken so far: the page of an export is sent, or is to be read again with fewer rows. */
  restart(): void {
    this.#hold(0);
    this.refusal = null;
    this.objects = this.rows = this.#rowBytes = this.#bytes = 0;
  }

  /** The answer is sent, or its client is gone. What runs on takes no memory of others any more. */
  close(): void {
    this.#hold(0);
    this.#isClosed = true;
  }

  #hold(bytes: number): void {
    if (this.#isClosed) return;
    this.#memory.hold(this.payer, bytes - this.#held);
    this.#held = bytes;
  }

  #take(bytes: number): boolean {
    this.#bytes += bytes;
    const step = limits.answerStepBytes;
    if (this.#bytes <= Math.max(this.#held, step) || this.#isClosed) return true;
    const needed = Math.ceil(this.#bytes / step) * step;
    if (!this.#memory.hasRoom(this.payer, needed - this.#held, needed <= limits.longAnswerBytes))
      return this.#refuse(
        overBound('answer_memory', 'Too many large answers at the same time: try again.', limits.retryMs / 1000),
      );
    this.#hold(needed);
    return true;
  }

  #refuse(refusal: Failure): false {
    // Timers of connections outlive the request and keep this object; the frames of a stack would keep all of the request with it.
    refusal.stack = refusal.message;
    this.refusal ??= refusal;
    return false;
  }
}
