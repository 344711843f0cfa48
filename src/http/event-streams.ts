import { setImmediate as textIsWritten, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { Failure, overBound } from '../errors.ts';
import { Counts } from '../fair-queue.ts';
import { refusalHeaders } from './answer-headers.ts';
import { pointsOfObjects } from './answer-memory.ts';
import { keepAnswering } from './connections.ts';

/** Server-sent events of a stream, as text. `return` ends the wait for the next one at once. */
export type EventSource = Pick<Required<AsyncIterator<string, unknown>>, 'next' | 'return'>;

/** Resolves when a stream may send more, or its items are over. */
export type ReadyForMore = (items: { readonly isOver: boolean }) => Promise<void>;

export interface EventStreams {
  /**
   * Answers a request with a stream. `open` begins it: until then everything is refused as any request is. `ready` resolves
   * when the client has taken what was sent, and the rate limit had room for it; a source waits for it before it reads more.
   */
  serve(reply: FastifyReply, open: (ready: ReadyForMore) => Promise<EventSource>): Promise<FastifyReply>;
  countOpen(): number;
}

interface StreamParts {
  readonly config: Config;
  readonly onEvent?: (() => void) | undefined;
}

const headers = {
  ...refusalHeaders,
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy must neither compress a stream nor keep events back.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // The connection of a stream has no use after it, and a shutdown does not wait for it.
  connection: 'close',
};

/** Streams of server-sent events: bounded in number, kept alive, and ended at a shutdown. */
export function createEventStreams(app: FastifyInstance, { config, onEvent }: StreamParts): EventStreams {
  const { max } = config.streams;
  const perBusinessMax = Math.ceil(max / 4);
  const { stallTimeoutMs } = config.http;
  const streams = new Set<EventStream>();
  const openByPayer = new Counts<number>();
  // One stream after the other, so that all together leave their share to requests.
  const inTurn = pLimit(1);
  let openCount = 0;
  let isClosing = false;
  let heartbeat: NodeJS.Timeout | undefined;

  const enter = ({ record }: FastifyRequest): (() => void) => {
    const payer = record.payer ?? 0;
    if (openCount >= max) throw overBound('streams', 'Too many streams are open: try again.', limits.busyRetryS);
    if (openByPayer.of(payer) >= perBusinessMax) throw tooManyStreams(perBusinessMax);
    openCount++;
    openByPayer.add(payer, 1);
    return () => {
      openCount--;
      openByPayer.add(payer, -1);
    };
  };

  // The connection is cut after the stall time-out without traffic, so a comment comes in time.
  const heartbeatMs = Math.min(limits.streamHeartbeatMs, stallTimeoutMs / 3);
  const beat = () => {
    for (const stream of streams) stream.beat(heartbeatMs);
  };

  app.addHook('preClose', async () => {
    isClosing = true;
    clearInterval(heartbeat);
    const ended = [...streams].map((stream) => stream.comeBack());
    await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, limits.endMs))]);
    for (const stream of streams) stream.cut();
  });

  return {
    countOpen: () => openCount,
    async serve(reply, open) {
      const leave = enter(reply.request);
      const stream = new EventStream(reply, { stallTimeoutMs, onEvent });
      let source: EventSource;
      try {
        source = await open((items) => stream.ready(items, inTurn));
        if (reply.raw.destroyed) await source.return();
        if (reply.raw.destroyed) throw clientIsGone();
      } catch (error) {
        leave();
        throw error;
      }
      stream.begin(source, () => {
        streams.delete(stream);
        leave();
      });
      streams.add(stream);
      heartbeat ??= setInterval(beat, heartbeatMs / 2).unref();
      if (isClosing) void stream.comeBack();
      return reply;
    },
  };
}

const clientIsGone = () => new Failure('BAD_REQUEST', 'The client has closed the connection.');

const tooManyStreams = (max: number) =>
  new Failure('RATE_LIMITED', `The business has ${max} open streams, and may have no more: close one of them.`, {
    retryAfterS: limits.busyRetryS,
    bound: 'streams',
  });

interface StreamOptions {
  readonly stallTimeoutMs: number;
  readonly onEvent: (() => void) | undefined;
}

/** A time in which the client does not take what was sent. */
interface Stall {
  readonly drained: Promise<void>;
  readonly end: () => void;
}

class EventStream {
  readonly #reply: FastifyReply;
  readonly #options: StreamOptions;
  #source: EventSource | undefined;
  #sentAt = 0;
  #isOver = false;
  #stalled: Stall | null = null;
  #pointsPaid = 0;

  constructor(reply: FastifyReply, options: StreamOptions) {
    this.#reply = reply;
    this.#options = options;
  }

  begin(source: EventSource, onEnd: () => void): void {
    const { raw, request } = this.#reply;
    this.#source = source;
    request.record.stream = { events: 0, objects: 0 };
    keepAnswering(raw);
    this.#reply.hijack();
    raw.once('close', () => {
      this.#isOver = true;
      this.#stalled?.end();
      void source.return();
      onEnd();
    });
    raw.on('drain', () => {
      this.#stalled?.end();
      request.record.answer.restart();
    });
    raw.writeHead(200, { ...(this.#reply.getHeaders() as Record<string, string>), ...headers });
    this.#write(':\n\n');
    void this.#run(source);
  }

  async #run(source: EventSource): Promise<void> {
    try {
      // Each event has a function call of its own: a suspended one keeps the last text that it has seen.
      while (await this.#sendNext(source));
      if (!this.#isOver) await this.#end('');
    } catch (error) {
      this.#reply.log.error({ err: error }, 'stream failed');
      this.#reply.request.record.code = 'INTERNAL';
      this.cut();
    }
  }

  async #sendNext(source: EventSource): Promise<boolean> {
    const { done, value: text } = await source.next();
    if (done || this.#isOver) return false;
    const { stream } = this.#reply.request.record;
    if (!text.startsWith(':') && stream) {
      stream.events++;
      this.#options.onEvent?.();
    }
    this.#write(text);
    return true;
  }

  #write(text: string): void {
    const { raw } = this.#reply;
    if (this.#isOver || raw.destroyed) return;
    this.#sentAt = performance.now();
    if (raw.write(text)) return;
    if (raw.writableLength > limits.longAnswerBytes && this.#stalled) return this.cut();
    this.#stalled ??= this.#waitForClient();
    this.#reply.request.record.answer.holdUnsent(raw.writableLength);
  }

  /** The client must take what was sent within the stall time-out. */
  #waitForClient(): Stall {
    const timer = setTimeout(() => this.cut(), this.#options.stallTimeoutMs).unref();
    let resolve = (): void => undefined;
    const drained = new Promise<void>((settle) => (resolve = settle));
    return {
      drained,
      end: () => {
        clearTimeout(timer);
        this.#stalled = null;
        resolve();
      },
    };
  }

  /** Until the points for what was sent can be taken, further changes come together in one event. */
  async ready(items: { readonly isOver: boolean }, inTurn: <T>(run: () => Promise<T>) => Promise<T>): Promise<void> {
    // A source that hands over a text asks at once.
    await textIsWritten();
    await this.#stalled?.drained;
    while (!this.#isOver && !items.isOver && !(await inTurn(() => this.#pay())))
      await wait(limits.retryMs, undefined, { ref: false });
  }

  /** Takes the points for the objects that were sent. False if they would take the share of requests. */
  async #pay(): Promise<boolean> {
    const { record, consume } = this.#reply.request;
    const points = pointsOfObjects(record.stream?.objects ?? 0) - this.#pointsPaid;
    if (points <= 0) return true;
    const { limit, remaining } = await consume(0, true);
    // A limit of few requests is never enough for a large event, which then costs what streams may take.
    const due = Math.min(points, Math.floor(limit * (1 - limits.requestsShare)));
    if (remaining - due < limit * limits.requestsShare) return false;
    await consume(due, true);
    this.#pointsPaid += points;
    return true;
  }

  /** Sends a comment if nothing was sent for so long. */
  beat(afterMs: number): void {
    if (!this.#stalled && performance.now() - this.#sentAt >= afterMs / 2) this.#write(':\n\n');
  }

  /** Ends the stream without an event that says it is complete, so that clients open it again, some sooner than others. */
  comeBack(): Promise<void> {
    const retryMs = limits.retryMs + Math.floor(Math.random() * limits.retryMaxMs);
    return this.#end(`retry: ${retryMs}\n\n`);
  }

  #end(text: string): Promise<void> {
    const { raw } = this.#reply;
    if (text) this.#write(text);
    this.#isOver = true;
    void this.#source?.return();
    return new Promise((resolve) => {
      if (raw.destroyed) return resolve();
      raw.once('close', resolve);
      raw.end();
    });
  }

  /** Closes the connection of a client that does not read. */
  cut(): void {
    const { raw, request } = this.#reply;
    if (raw.destroyed) return;
    if (request.record.stream) request.record.stream.isCut = true;
    raw.destroy();
  }
}
