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
import { unavailable } from '../errors.ts';
import { memoize } from '../memoize.ts';
import { csvType, formatCsv, type CsvCell } from './csv.ts';

/** A list that is sent as CSV. */
export interface CsvExport {
  /** File name without date and extension. */
  readonly name: string;
  readonly openSnapshot: () => Promise<Snapshot>;
  readonly read: (scope: Snapshot['scope']) => Promise<CsvTable>;
}

export interface CsvTable {
  readonly columns: readonly string[];
  /** Rows, page by page: a page is read only when the one before it is on its way. */
  readonly pages: AsyncIterator<readonly (readonly CsvCell[])[]>;
}

export interface CsvExports {
  /** Sends the list. Throws until its first page is read; after that, a failure breaks the connection. */
  send(reply: FastifyReply, csv: CsvExport): Promise<void>;
  /** Number of exports under way. */
  countRunning(): number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers in CSV besides JSON. */
    givesCsv?: boolean;
  }
}

interface ExportParts {
  readonly config: Config;
  readonly kind: 'embedded' | 'postgresql';
}

/**
 * Sends lists as CSV, each from one snapshot of the database. The number of exports at a time is bounded, so that connections
 * are left for other requests. If there is only one connection, the whole list is read into a file first: otherwise a slow
 * client would stop the service.
 */
export function createCsvExports({ config, kind }: ExportParts): CsvExports {
  const connections = kind === 'embedded' ? 1 : config.db.poolSize;
  const atATime = Math.min(config.exports.atATime, Math.max(1, connections - 1));
  const sendList = connections === 1 ? sendSpooled : sendStreamed;
  let running = 0;
  return {
    countRunning: () => running,
    async send(reply, csv) {
      if (running >= atATime)
        throw unavailable('Too many exports at the same time: try again later.', limits.exportRetryS);
      running++;
      const run = new ExportRun(config.exports.timeoutMs, () => running--, reply.log);
      reply.raw.once('close', () => void run.end());
      try {
        await sendList(reply, csv, run);
      } catch (error) {
        await run.end();
        throw run.error ?? error;
      }
    },
  };
}

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
    this.timer = setTimeout(() => {
      this.error = unavailable('The export took too long.', limits.exportRetryS);
      this.stop(this.error);
      void this.end();
    }, timeoutMs);
    this.releases.push(leave);
  }

  /** Releases the resource when the export ends, in reverse order; at once if it has ended already. */
  async hold<T>(resource: T, release: (resource: T) => unknown): Promise<T> {
    if (!this.isOver) this.releases.unshift(() => release(resource));
    else await release(resource);
    return resource;
  }

  onTimeout(stop: (error: Error) => void): void {
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
  const { columns, pages } = await read(snapshot.scope);
  return { snapshot, columns, pages, first: await pages.next() };
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** Yields the text of the file, page by page. */
async function* formatPages({ columns, pages, first }: Begun): AsyncGenerator<string> {
  yield formatCsv([columns]);
  for (let page = first; page.done !== true; page = await pages.next())
    if (page.value.length > 0) yield formatCsv(page.value);
}

async function sendStreamed(reply: FastifyReply, csv: CsvExport, run: ExportRun): Promise<void> {
  const begun = await begin(csv, run);
  setHeaders(reply, csv, begun);
  if (reply.request.method === 'HEAD') return sendHead(reply, run);
  sendBody(reply, Readable.from(formatPages(begun), { highWaterMark: 1 }), run);
}

async function sendSpooled(reply: FastifyReply, csv: CsvExport, run: ExportRun): Promise<void> {
  const begun = await begin(csv, run);
  const isHead = reply.request.method === 'HEAD';
  const spool = isHead ? null : await run.hold(await openSpool(), (file) => file.close());
  if (spool)
    for await (const text of formatPages(begun)) {
      if (run.isOver) throw new Error('The client of the export is gone.');
      await spool.write(text);
    }
  await begun.snapshot.close();
  setHeaders(reply, csv, begun);
  if (!spool) return sendHead(reply, run);
  void reply.header('content-length', (await spool.stat()).size);
  sendBody(reply, spool.createReadStream({ start: 0 }), run);
}

function sendBody(reply: FastifyReply, body: Readable, run: ExportRun): void {
  const { socket, server } = reply.request;
  run.onTimeout((error) => body.destroy(error));
  body.once('error', () => breakOff(socket));
  body.once('close', () => void run.end());
  // When the service stops, it closes idle connections; this one was busy then and is closed after its answer.
  reply.raw.once('finish', () => server.server.listening || socket.end?.());
  void reply.send(body);
}

/** Resets the connection: some clients take its plain end for the end of the file. */
function breakOff(socket: Socket): void {
  if (socket instanceof Socket && !('encrypted' in socket)) socket.resetAndDestroy();
  else socket.destroy();
}

async function sendHead(reply: FastifyReply, run: ExportRun): Promise<void> {
  await run.end();
  // The length is unknown, so it is left out.
  void reply.send(Readable.from([]));
}

/** Opens a file and removes its name, so that the file disappears with this process at the latest. */
async function openSpool(): Promise<FileHandle> {
  const path = join(tmpdir(), `callboard-export-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

function setHeaders(reply: FastifyReply, { name }: CsvExport, { snapshot }: Begun): void {
  const date = snapshot.scope.clock().toISOString().slice(0, 10);
  void reply
    .code(200)
    .type(`${csvType}; charset=utf-8; header=present`)
    .header('content-disposition', `attachment; filename="${name}-${date}.csv"`);
}
