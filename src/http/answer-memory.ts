import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { RowBound } from '../db/engine/statement-count.ts';
import { AnswerTooLarge, unavailable, type Failure } from '../errors.ts';
import { collectGarbage } from './garbage.ts';
import { bytesPerCharMax } from './json-size.ts';

/** Bounds the memory of all answers under way in this process, so that no caller can exhaust it. */
export class AnswerMemory {
  readonly answerBytesMax: number;
  readonly #bytesMax: number;
  #bytes = 0;
  #left = 0;
  #collecting: NodeJS.Timeout | undefined;
  /** The answers that hold memory, and how much. */
  readonly #held = new Map<AnswerSize, number>();

  constructor({ bytesMax, memoryBytes }: Pick<Config['answers'], 'bytesMax' | 'memoryBytes'>) {
    this.answerBytesMax = bytesMax;
    this.#bytesMax = memoryBytes;
  }

  /** Memory that all answers hold together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reserves so much for an answer in all. False if there is no room for it. */
  reserve(answer: AnswerSize, bytes: number): boolean {
    const before = this.#held.get(answer) ?? 0;
    const most = bytes <= limits.answerSmallBytes ? this.#bytesMax : (this.#bytesMax * 2) / 3;
    if (this.#bytes - before + bytes > most || this.#bytesOfPayer(answer) - before + bytes > most / 2) return false;
    this.#held.set(answer, bytes);
    this.#bytes += bytes - before;
    return true;
  }

  release(answer: AnswerSize): void {
    this.#bytes -= this.#held.get(answer) ?? 0;
    this.#held.delete(answer);
  }

  /** Counts what a large answer left behind, and collects it when none of them is under way any more. */
  leave(bytes: number): void {
    this.#left += bytes;
    if (this.#left < limits.garbageBytes || this.#collecting) return;
    this.#collecting = setInterval(() => {
      if (this.#bytes > limits.answerSmallBytes) return;
      clearInterval(this.#collecting);
      this.#collecting = undefined;
      this.#left = 0;
      void collectGarbage();
    }, limits.garbageDelayMs).unref();
  }

  #bytesOfPayer({ payer }: AnswerSize): number {
    let bytes = 0;
    for (const [answer, held] of this.#held) if (answer.payer === payer) bytes += held;
    return bytes;
  }
}

/**
 * Memory that the answer to one request takes: rows as they arrive from the database, objects as GraphQL hands them out, and the text.
 * Once a bound is exceeded, the request is refused, whatever else happens to it.
 */
export class AnswerSize implements RowBound {
  refusal: Failure | null = null;
  objects = 0;
  /** The business that the answer is for; 0 stands for all callers without a credential. */
  payer = 0;
  readonly #memory: AnswerMemory;
  #rowBytes = 0;
  #bytes = 0;
  /** All that the answer took since it began, pages of an export that are sent included. */
  #taken = 0;
  #reserved: number = limits.answerStepBytes;

  constructor(memory: AnswerMemory) {
    this.#memory = memory;
  }

  /** Largest JSON, or page of an export, in bytes. */
  get bytesMax(): number {
    return this.#memory.answerBytesMax;
  }

  /** Upper bound of the JSON that shows each row that was read once: a character takes six bytes at most, and a key less than a cell. */
  get rowsAsJsonBytes(): number {
    return bytesPerCharMax * this.#rowBytes;
  }

  takeRow(bytes: number, cells: number): boolean {
    if (this.refusal) return false;
    const size = bytes + cells * limits.cellBytes;
    this.#rowBytes += size;
    const max = 2 * this.bytesMax;
    return this.#rowBytes > max ? this.#refuse(new AnswerTooLarge('rowBytes', max)) : this.#take(size);
  }

  giveBack(bytes: number, cells: number): void {
    const size = bytes + cells * limits.cellBytes;
    this.#rowBytes = Math.max(0, this.#rowBytes - size);
    this.#bytes = Math.max(0, this.#bytes - size);
  }

  /** Counts objects of a GraphQL answer. False if the answer must not hold them. */
  takeObjects(count: number): boolean {
    if (this.refusal) return false;
    this.objects += count;
    const max = limits.graphqlObjects;
    return this.objects > max
      ? this.#refuse(new AnswerTooLarge('objects', max))
      : this.#take(count * limits.objectBytes);
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

  /** Forgets what was taken so far: the page of an export is sent, or is to be read again with fewer rows. */
  restart(): void {
    if (this.#reserved < Infinity) this.#release();
    this.refusal = null;
    this.objects = this.#rowBytes = 0;
  }

  /** Counts text of an export, which is made and sent piece by piece. */
  passText(chars: number): void {
    this.#taken += chars;
  }

  /** The answer is sent, or its client is gone. What runs on takes no memory of others any more. */
  close(): void {
    this.#release();
    this.#reserved = Infinity;
    if (this.#taken > limits.answerSmallBytes) this.#memory.leave(this.#taken);
  }

  #release(): void {
    this.#memory.release(this);
    this.#bytes = 0;
    this.#reserved = limits.answerStepBytes;
  }

  #take(bytes: number): boolean {
    this.#bytes += bytes;
    this.#taken += bytes;
    if (this.#bytes <= this.#reserved) return true;
    const step = limits.answerStepBytes;
    const needed = Math.ceil(this.#bytes / step) * step;
    if (!this.#memory.reserve(this, needed))
      return this.#refuse(unavailable('Too many large answers at the same time: try again.', limits.answerRetryS));
    this.#reserved = needed;
    return true;
  }

  #refuse(refusal: Failure): false {
    // Timers of connections outlive the request and keep this object; the frames of a stack would keep all of the request with it.
    refusal.stack = refusal.message;
    this.refusal ??= refusal;
    return false;
  }
}
