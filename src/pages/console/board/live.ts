import { gatherMs } from '../../application/session.ts';
import { lookAgain } from '../../application/data.ts';
import { readMessages } from '../messages/messages.ts';
import { listChanges, describeChanges } from './changes.ts';
import { followRevision } from '../../application/follow.ts';
import type { Audience, BoardData } from './model.ts';
import { createReader, ReadRefusal, type ReadBoard } from './reading.ts';
import { keepEqual } from '../../application/sharing.ts';
import type { Interval } from '../../time/span.ts';

export interface BoardState {
  /** Null until it was read for the first time, and while another span is read. */
  readonly data: BoardData | null;
  /** When the data was last known to be true, by this browser's clock. */
  readonly asOfMs: number | null;
  readonly link: 'connecting' | 'live' | 'reconnecting' | 'paused';
  /** Why the data could not be read; null if it could. */
  readonly problem: string | null;
  /** UUIDs of call times and shifts that changed just now, by the uuid of their event. */
  readonly changed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Sentence for screen readers that says what changed. */
  readonly news: string;
}

/** Each rendering of a card leaves a mark of this name with the event's uuid, until the next reading. */
export const cardMark = 'board:card';

const highlightMs = 10_000;
const newsMs = 60_000;
const pollMs = 10_000;
const longestPollMs = 60_000;
const initial: BoardState = {
  data: null,
  asOfMs: null,
  link: 'connecting',
  problem: null,
  changed: new Map(),
  news: '',
};

/** The data of the board, which follows what the service stores. */
export class LiveBoard {
  #state = initial;
  readonly #listeners = new Set<() => void>();
  readonly #read: ReadBoard;
  #interval: Interval;
  #endStream: (() => void) | null = null;
  #reading: AbortController | null = null;
  /** Something changed that has not been read. */
  #isStale = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** The data version that was read, and the one that the stream has told. */
  #revision: string | null = null;
  #known: string | null = null;
  #isStreaming = false;
  #lastReadMs = 0;
  #unsaid: string[] = [];
  #newsTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(role: Audience, interval: Interval) {
    this.#read = createReader(role);
    this.#interval = interval;
  }

  readonly state = (): BoardState => this.#state;

  readonly watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #update(next: Partial<BoardState>): void {
    this.#state = { ...this.#state, ...next };
    for (const listener of this.#listeners) listener();
  }

  /** Begins to follow; the function that it returns ends that. */
  readonly connect = (credential: string): (() => void) => {
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.#update({ link: 'connecting' });
    this.#endStream = followRevision(credential, {
      onRevision: (revision) => {
        this.#isStreaming = true;
        this.#known = revision;
        if (this.#failures === 0) this.#update({ link: 'live' });
        // Whether a read that is under way is of this version is known once it has answered.
        if (this.#reading) this.#isStale = true;
        else if (this.#isOutdated()) this.refresh();
        else this.#update({ asOfMs: Date.now() });
      },
      onSign: () => {
        if (this.#state.link === 'live' && !this.#isStale) this.#update({ asOfMs: Date.now() });
      },
      // A read tells what is the matter.
      onRefused: this.refresh,
      onLost: () => {
        const wasStreaming = this.#isStreaming;
        this.#isStreaming = false;
        if (this.#endStream) this.#update({ link: 'reconnecting' });
        // Each attempt to open the stream again ends here; the reads in its place go on in their own time.
        if (wasStreaming && !this.#isStale) this.#schedule(pollMs);
      },
    });
    this.refresh();
    return this.#disconnect;
  };

  readonly #disconnect = (): void => {
    document.removeEventListener('visibilitychange', this.#onVisibility);
    const endStream = this.#endStream;
    this.#endStream = null;
    endStream?.();
    this.#isStreaming = false;
    this.#reading?.abort();
    this.#reading = null;
    clearTimeout(this.#timer);
    this.#update({ link: 'paused' });
  };

  setInterval(interval: Interval): void {
    if (interval.fromMs === this.#interval.fromMs && interval.toMs === this.#interval.toMs) return;
    this.#interval = interval;
    this.#reading?.abort();
    this.#reading = null;
    this.#update({ data: null, changed: new Map() });
    void this.#readNow();
  }

  /** Reads the board soon, or after the read under way. */
  readonly refresh = (): void => {
    this.#isStale = true;
    if (this.#reading) return;
    this.#schedule(Math.max(0, this.#lastReadMs + gatherMs() - Date.now()));
  };

  /** Reads at once, also while the board is paused: the viewer expects to see what they did. */
  readonly readOwnChange = async (): Promise<void> => {
    this.#reading?.abort();
    await this.#readNow();
  };

  /** Whether what is shown may not be what is stored now. */
  readonly #isOutdated = (): boolean => this.#failures > 0 || this.#known === null || this.#known !== this.#revision;

  /** Hidden pages read nothing; they do so as soon as they are shown. */
  readonly #onVisibility = (): void => {
    if (!document.hidden && (this.#isStale || this.#state.link !== 'live')) this.refresh();
  };

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#endStream) return;
    this.#timer = setTimeout(() => {
      if (!document.hidden && !this.#reading) void this.#readNow();
    }, afterMs);
  }

  async #readNow(): Promise<void> {
    clearTimeout(this.#timer);
    const reading = new AbortController();
    this.#reading = reading;
    this.#isStale = false;
    this.#lastReadMs = Date.now();
    try {
      const { data, revision } = await this.#read(this.#interval, reading.signal);
      if (this.#reading === reading) {
        this.#revision = revision;
        this.#take(data);
      }
    } catch (error) {
      if (this.#reading === reading) this.#fail(error as Error);
    }
    if (this.#reading !== reading) return;
    this.#reading = null;
    if (this.#failures > 0) return;
    if (this.#isStale && this.#isOutdated()) return this.refresh();
    this.#isStale = false;
    if (this.#state.link !== 'live') this.#schedule(pollMs);
  }

  #take(next: BoardData): void {
    const before = this.#state.data;
    const data = keepEqual(before, next);
    // What the panel beside the board has read.
    void lookAgain(this.#revision ?? undefined);
    this.#failures = 0;
    performance.clearMarks(cardMark);
    const news = before && data !== before ? listChanges(before, data) : null;
    const changed = news ? new Map([...this.#state.changed, ...news.uuidsByEvent]) : this.#state.changed;
    const link = this.#isStreaming ? 'live' : this.#state.link;
    this.#update({ data, asOfMs: Date.now(), problem: null, changed, link });
    if (!news) return;
    setTimeout(() => this.#forget(news.uuidsByEvent), highlightMs);
    this.#announce(describeChanges(news, readMessages()));
  }

  #forget(uuidsByEvent: ReadonlyMap<string, ReadonlySet<string>>): void {
    const left = [...this.#state.changed].filter(([uuid, uuids]) => uuidsByEvent.get(uuid) !== uuids);
    if (left.length < this.#state.changed.size) this.#update({ changed: new Map(left) });
  }

  /** Says at most one sentence a minute, with all that changed meanwhile. */
  #announce(sentence: string): void {
    if (sentence) this.#unsaid.push(sentence);
    if (this.#newsTimer !== undefined || this.#unsaid.length === 0) return;
    this.#update({ news: this.#unsaid.splice(0).slice(-3).join(' ') });
    this.#newsTimer = setTimeout(() => {
      this.#newsTimer = undefined;
      this.#announce('');
    }, newsMs);
  }

  #fail(error: Error): void {
    this.#failures++;
    this.#isStale = true;
    const retryMs = error instanceof ReadRefusal && error.retryAfterS !== null ? error.retryAfterS * 1000 : 0;
    this.#update({ problem: error.message, ...(this.#state.link === 'live' && { link: 'reconnecting' as const }) });
    if (error instanceof ReadRefusal && error.isLoggedOut) return;
    this.#schedule(Math.max(retryMs, Math.min(longestPollMs, pollMs * 2 ** (this.#failures - 1))));
  }
}
