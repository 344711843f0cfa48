import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { Snapshot } from '../access/scope.ts';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { unavailable } from '../errors.ts';
import { memoize } from '../paging/paging.ts';
import { csvLines, csvType, prefersCsv, type Cell, type JsonTypes } from './csv.ts';

/** A list to be sent as CSV. */
export interface CsvExport {
  /** Of the file, without its date and ending. */
  readonly name: string;
  readonly openSnapshot: () => Promise<Snapshot>;
  readonly read: (scope: Snapshot['scope']) => Promise<CsvTable>;
}

export interface CsvTable {
  readonly columns: readonly string[];
  /** Rows, a page at a time: no page is read before the one before it is on its way. */
  readonly pages: AsyncIterator<readonly (readonly Cell[])[]>;
}

declare module 'fastify' {
  interface FastifyInstance {
    exportsRunning(): number;
  }
  interface FastifyContextConfig {
    /** Besides JSON. */
    givesCsv?: boolean;
  }
  interface FastifyReply {
    /** Whether the client would rather have CSV than JSON of these types; tells caches that it was asked. */
    prefersCsv(jsonTypes: JsonTypes): boolean;
    sendCsv(csv: CsvExport): Promise<void>;
  }
}

interface ExportParts {
  readonly config: Config;
  readonly kind: 'embedded' | 'postgresql';
}

/**
 * Sends lists as CSV from one snapshot of the database. Only so many at a time, so that connections are left for all else;
 * where there is but one, the whole list is read into a file first, or a slow client would stop the service.
 */
export const csvExports = fp(async (app: FastifyInstance, { config, kind }: ExportParts) => {
  const connections = kind === 'embedded' ? 1 : config.db.poolSize;
  const atATime = Math.min(config.exports.atATime, Math.max(1, connections - 1));
  const send = connections === 1 ? sendSpooled : sendStreamed;
  let running = 0;
  app.decorate('exportsRunning', () => running);

  app.decorateReply('prefersCsv', function (jsonTypes) {
    this.header('vary', [this.getHeader('vary') ?? [], 'accept'].flat().join(', '));
    return prefersCsv(this.request, jsonTypes);
  });
  app.decorateReply('sendCsv', async function (csv) {
    if (running >= atATime) throw unavailable('Too many exports at once.', limits.exportRetryS);
    running++;
    const run = new ExportRun(config.exports.timeoutMs, () => running--, this.log);
    this.raw.once('close', () => void run.end());
    try {
      await send(this, csv, run);
    } catch (error) {
      await run.end();
      throw run.error ?? error;
    }
  });
});

/** What an export holds while it runs, given back once, however it ends. */
class ExportRun {
  /** Why it ended before its end. */
  error: Error | undefined;
  private readonly held: (() => unknown)[] = [];
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
    this.held.push(leave);
  }

  /** What is to be given back; the last comes first. */
  async hold<T>(thing: T, giveBack: (thing: T) => unknown): Promise<T> {
    if (!this.isOver) this.held.unshift(() => giveBack(thing));
    else await giveBack(thing);
    return thing;
  }

  onTimeout(stop: (error: Error) => void): void {
    this.stop = stop;
  }

  readonly end = memoize(async () => {
    this.isOver = true;
    clearTimeout(this.timer);
    for (const giveBack of this.held)
      try {
        await giveBack();
      } catch (error) {
        this.log.warn({ err: error }, 'an export left something behind');
      }
  });
}

/** Opens the snapshot and reads as far as the first page: what goes wrong up to there is answered as ever. */
async function begin({ openSnapshot, read }: CsvExport, run: ExportRun) {
  const snapshot = await run.hold(await openSnapshot(), ({ close }) => close());
  const { columns, pages } = await read(snapshot.scope);
  return { snapshot, columns, pages, first: await pages.next() };
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** The text of the file, page by page. */
async function* textOf({ columns, pages, first }: Begun): AsyncGenerator<string> {
  yield csvLines([columns]);
  for (let page = first; page.done !== true; page = await pages.next())
    if (page.value.length > 0) yield csvLines(page.value);
}

async function sendStreamed(reply: FastifyReply, csv: CsvExport, run: ExportRun): Promise<void> {
  const begun = await begin(csv, run);
  head(reply, csv, begun);
  if (reply.request.method === 'HEAD') return sendHead(reply, run);
  sendBody(reply, Readable.from(textOf(begun), { highWaterMark: 1 }), run);
}

async function sendSpooled(reply: FastifyReply, csv: CsvExport, run: ExportRun): Promise<void> {
  const begun = await begin(csv, run);
  const isHead = reply.request.method === 'HEAD';
  const spool = isHead ? null : await run.hold(await openSpool(), (file) => file.close());
  if (spool)
    for await (const text of textOf(begun)) {
      if (run.isOver) throw new Error('Nobody waits for the export any more.');
      await spool.write(text);
    }
  await begun.snapshot.close();
  head(reply, csv, begun);
  if (!spool) return sendHead(reply, run);
  void reply.header('content-length', (await spool.stat()).size);
  sendBody(reply, spool.createReadStream({ start: 0 }), run);
}

function sendBody(reply: FastifyReply, body: Readable, run: ExportRun): void {
  const { socket, server } = reply.request;
  run.onTimeout((error) => body.destroy(error));
  body.once('error', () => breakOff(socket));
  body.once('close', () => void run.end());
  // Idle connections were closed when the service began to stop; this one was busy.
  reply.raw.once('finish', () => server.server.listening || socket.end?.());
  void reply.send(body);
}

/** By a reset: some clients take the plain end of a connection for the end of the file. */
function breakOff(socket: Socket): void {
  if (socket instanceof Socket && !('encrypted' in socket)) socket.resetAndDestroy();
  else socket.destroy();
}

async function sendHead(reply: FastifyReply, run: ExportRun): Promise<void> {
  await run.end();
  // Without a length, which nobody has counted.
  void reply.send(Readable.from([]));
}

/** A file without a name: it is gone with this process at the latest. */
async function openSpool(): Promise<FileHandle> {
  const path = join(tmpdir(), `callboard-export-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

function head(reply: FastifyReply, { name }: CsvExport, { snapshot }: Begun): void {
  const date = snapshot.scope.clock().toISOString().slice(0, 10);
  void reply
    .code(200)
    .type(`${csvType}; charset=utf-8; header=present`)
    .header('content-disposition', `attachment; filename="${name}-${date}.csv"`);
}
