import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { Snapshot } from '../access/scope.ts';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { overBound } from '../errors.ts';
import { FairQueue } from '../fair-queue.ts';
import { memoize } from '../memoize.ts';
import { splitPage } from './csv-pages.ts';
import { csvType, formatCsv, type CsvCell } from './csv.ts';

/** A list that is sent as CSV. */
export interface CsvExport {
  /** File name without date and extension. */
  readonly name: string;
  readonly openSnapshot: () => Promise<Snapshot>;
  readonly read: (scope: Snapshot['scope']) => Promise<CsvTable>;
}

interface CsvTable {
  readonly columns: readonly string[];
  /** Rows, page by page: a page is read only when the one before it is on its way. */
  readonly pages: AsyncIterator<readonly (readonly CsvCell[])[]>;
}

export interface CsvExports {
  /** Sends the list. Throws until its first page is read; after that, a failure breaks the connection. */
  send(reply: FastifyReply, csv: CsvExport): Promise<void>;
  /** Sends the head of a list, which opens no export. The caller has checked that the list can be read. */
  sendHead(reply: FastifyReply, name: string, now: Date): FastifyReply;
  /** Number of exports under way. */
  countRunning(): number;
}

interface ExportParts {
  readonly config: Config;
  readonly kind: 'embedded' | 'postgresql';
}

/**
 * Sends lists as CSV, each from one snapshot of the database. The number of exports at a time is bounded, so that connections
 * are left for other requests, and no business may have all of them. If there are one or two connections, the whole list is
 * read into a file first: otherwise a slow client would stop the service.
 */
export function createCsvExports({ config, kind }: ExportParts): CsvExports {
  const connections = kind === 'embedded' ? 1 : config.db.poolSize;
  const isSpooled = connections <= 2;
  const atATime = isSpooled ? config.exports.atATime : Math.min(config.exports.atATime, connections - 1);
  const each = Math.max(1, atATime - 1);
  const slots = new FairQueue<Payer>({ total: atATime, each: () => each, waitingMax: limits.exportsWaiting });
  const spools = new FairQueue<Payer>({ total: 1, each: () => 1, waitingMax: limits.exportsWaiting });
  return {
    // The length is unknown, so it is left out.
    sendHead: (reply, name, now) => setHeaders(reply, name, now).send(Readable.from([])),
    countRunning: () => slots.takenCount,
    async send(reply, csv) {
      const key = reply.request.record.payer;
      const leave = await slots.take({ key, waitMs: limits.shortWaitMs, refusal: tooManyExports });
      const run = new ExportRun(config.exports.timeoutMs, leave, reply.log);
      reply.raw.once('close', () => void run.end());
      try {
        if (reply.raw.destroyed) throw clientIsGone();
        if (!isSpooled) await sendStreamed(reply, csv, run);
        else
          await sendSpooled(
            reply,
            csv,
            run,
            await spools.take({ key, waitMs: limits.longWaitMs, refusal: tooManyExports }),
          );
      } catch (error) {
        await run.end();
        throw run.error ?? error;
      }
    },
  };
}

/** The business whose list is exported. */
type Payer = number | undefined;

const tooManyExports = () =>
  overBound('exports', 'Too many exports at the same time: try again later.', limits.busyRetryS);

const clientIsGone = () => new Error('The client of the export is gone.');

/** Resources of a running export. Each is released once, however the export ends. */
class ExportRun {
  /** Why the export was cut short. */
  error: Error | undefined;
  private readonly releases: (() => unknown)[] = [];
  private readonly log: FastifyBaseLogger;
  private readonly timer: NodeJS.Timeout;
  private stop: (error: Error) => void = () => undefined;
  isOver = false;

  constructor(timeoutMs: number, leave: () => void, log: FastifyBaseLogger) {
    this.log = log;
    this.timer = setTimeout(() => this.cut('The export took too long.'), timeoutMs);
    this.releases.push(leave);
  }

  /** Ends the export before it is whole. */
  cut(reason: string): void {
    if (this.isOver) return;
    this.error = overBound('exports', reason, limits.busyRetryS);
    this.stop(this.error);
    void this.end();
  }

  /** Releases the resource when the export ends, in reverse order; at once if it has ended already. */
  async hold<T>(resource: T, release: (resource: T) => unknown): Promise<T> {
    if (!this.isOver) this.releases.unshift(() => release(resource));
    else await release(resource);
    return resource;
  }

  onCut(stop: (error: Error) => void): void {
    this.stop = stop;
  }

  readonly end = memoize(async () => {
    this.isOver = true;
    clearTimeout(this.timer);
    for (const release of this.releases)
      try {
        await release();
      } catch (error) {
        this.log.warn({ err: error }, 'an export left something behind');
      }
  });
}

/** Opens the snapshot and reads the first page. Failures up to here get the usual error body. */
async function begin({ openSnapshot, read }: CsvExport, run: ExportRun) {
  const snapshot = await run.hold(await openSnapshot(), ({ close }) => close());
  try {
    const begun = await readFirst(snapshot, read);
    snapshot.hasBegun?.();
    return begun;
  } catch (error) {
    await snapshot.close();
    const other = await snapshot.reopen?.();
    if (!other) throw error;
    return readFirst(await run.hold(other, ({ close }) => close()), read);
  }
}

async function readFirst(snapshot: Snapshot, read: CsvExport['read']) {
  const { columns, pages } = await read(snapshot.scope);
  return { snapshot, columns, pages, first: await pages.next() };
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** Yields the text of the file, a few rows at a time. */
async function* formatPages({ columns, pages, first }: Begun): AsyncGenerator<string> {
  yield formatCsv([columns]);
  for (let page = first; page.done !== true; page = await pages.next())
    for (const rows of splitPage(page.value)) yield formatCsv(rows);
}

async function sendStreamed(reply: FastifyReply, csv: CsvExport, run: ExportRun): Promise<void> {
  const begun = await begin(csv, run);
  setHeaders(reply, csv.name, begun.snapshot.scope.clock());
  sendBody(reply, formatPages(begun), run);
}

/** `leave` is called once the list is in the file. */
async function sendSpooled(reply: FastifyReply, csv: CsvExport, run: ExportRun, leave: () => void): Promise<void> {
  const timer = setTimeout(() => run.cut(listIsTooLong), limits.longWaitMs);
  const begun = await spoolList(csv, run).finally(() => {
    clearTimeout(timer);
    leave();
  });
  setHeaders(reply, csv.name, begun.snapshot.scope.clock());
  void reply.header('content-length', (await begun.spool.stat()).size);
  sendBody(reply, begun.spool.createReadStream({ start: 0 }), run);
}

const listIsTooLong = `The list takes more than ${limits.longWaitMs / 1000} seconds to read, while others wait for the database: ask for one page at a time (page, per_page).`;

async function spoolList(csv: CsvExport, run: ExportRun) {
  const begun = await begin(csv, run);
  const spool = await run.hold(await openSpool(), (file) => file.close());
  for await (const text of formatPages(begun)) {
    if (run.isOver) throw clientIsGone();
    await spool.write(text);
  }
  await begun.snapshot.close();
  return { ...begun, spool };
}

function sendBody(reply: FastifyReply, parts: AsyncIterable<string | Buffer>, run: ExportRun): void {
  const { socket, server } = reply.request;
  const body = Readable.from(watchReader(parts, run), { highWaterMark: 1 });
  run.onCut((error) => body.destroy(error));
  body.once('error', () => breakOff(socket));
  body.once('close', () => void run.end());
  // A service that stops closes idle connections at once, and this one after its answer, because it is busy.
  reply.raw.once('finish', () => server.server.listening || socket.end?.());
  void reply.send(body);
}

/** Ends the export if its client takes too long for a part of it. */
async function* watchReader<T>(parts: AsyncIterable<T>, run: ExportRun): AsyncGenerator<T> {
  for await (const part of parts) {
    const timer = setTimeout(() => run.cut('The client reads too slowly.'), limits.longWaitMs);
    try {
      yield part;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Resets the connection: some clients take its plain end for the end of the file. */
function breakOff(socket: Socket): void {
  if (socket instanceof Socket && !('encrypted' in socket)) socket.resetAndDestroy();
  else socket.destroy();
}

/** Opens a file and removes its name, so that the file disappears with this process at the latest. */
async function openSpool(): Promise<FileHandle> {
  const path = join(tmpdir(), `callboard-export-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

function setHeaders(reply: FastifyReply, name: string, now: Date): FastifyReply {
  const date = now.toISOString().slice(0, 10);
  return reply
    .code(200)
    .type(`${csvType}; charset=utf-8; header=present`)
    .header('content-disposition', `attachment; filename="${name}-${date}.csv"`);
}
