import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createKey } from './keys.ts';
import { takeRevision, withRevision } from './revision.ts';
import type { TypedDocument, VariablesOf } from './document.ts';
import { describeErrors, type ServiceError, type Variables } from './service.ts';
import { gatherMs, readSession, sendAsViewer, watchSession, type Viewer } from './session.ts';
import { keepEqual } from './sharing.ts';
import { useMessages } from '../console/messages/messages.ts';

/* What the pages read from the service and write to it. Equal reads share one answer, which is read again after each write. */

/** Milliseconds after which a page looks whether something has changed. */
const lookMs = 300_000;
/** Milliseconds after which what depends on the time is read again, whatever has changed. */
const staleMs = 900_000;

/** The viewer, on pages that need a log-in. */
export const useViewer = (): Viewer => useSyncExternalStore(watchSession, readSession).viewer!;

interface Answer {
  readonly data: unknown;
  /** Why the last read failed; null if it did not. */
  readonly error: string | null;
  readonly isLoading: boolean;
}

class Read {
  answer: Answer = { data: null, error: null, isLoading: true };
  readonly listeners = new Set<() => void>();
  private etag: string | null = null;
  private attempt = 0;
  /** The last read, until it is over. */
  reading: Promise<void> | null = null;
  private revision: string | null = null;
  private readAtMs = 0;

  constructor(
    private readonly query: string,
    private readonly variables: Variables,
  ) {}

  readonly watch = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly snapshot = (): Answer => this.answer;

  /** Reads, unless another part of the page shows it, or is about to. */
  readonly open = (): void => {
    const isShown = this.listeners.size > 1 && this.answer.data !== null;
    if (!this.reading && !isShown) void this.load();
  };

  /** Whether what is shown is still true at a data version of the business. */
  isOf(revision: string): boolean {
    return this.answer.error === null && this.revision === revision && Date.now() - this.readAtMs < staleMs;
  }

  /** Reads again. An answer that a later read has overtaken is dropped. */
  readonly load = (): Promise<void> => {
    const reading = this.readOn().finally(() => {
      if (this.reading === reading) this.reading = null;
    });
    return (this.reading = reading);
  };

  private async readOn(): Promise<void> {
    if (!this.query) return;
    const attempt = ++this.attempt;
    this.update({ isLoading: true });
    try {
      const { variables } = this;
      // Whoever is not logged in sees no version.
      const query = readSession().login ? withRevision(this.query) : this.query;
      const { result, etag, isUnchanged } = await sendAsViewer({ query, variables }, undefined, this.etag);
      if (attempt !== this.attempt) return;
      const error = describeErrors(result);
      this.readAtMs = Date.now();
      if (isUnchanged) return this.update({ error: null, isLoading: false });
      this.etag = error === null ? etag : null;
      const read = takeRevision(result);
      this.revision = read.revision;
      const data = error === null ? keepEqual(this.answer.data, read.data) : this.answer.data;
      this.update({ data, error, isLoading: false });
    } catch (error) {
      if (attempt === this.attempt) this.update({ error: (error as Error).message, isLoading: false });
    }
  }

  private update(next: Partial<Answer>): void {
    this.answer = { ...this.answer, ...next };
    for (const listener of this.listeners) listener();
  }
}

const reads = new Map<string, Read>();

/** Reads again what is on display beside `useRead`, once people were changed. */
export const afterChange = new Set<() => Promise<void>>();

/** Reads again what is on display and forgets the rest. */
export async function refreshReads(): Promise<void> {
  for (const [key, { listeners }] of reads) if (listeners.size === 0) reads.delete(key);
  await Promise.all([...reads.values()].map((read) => read.load()));
}

/**
 * Reads again what is on display and is not of the present data version, or is so old that the time may have changed it. Without a
 * version, the service is asked for it, which costs a tenth of a request.
 */
export async function lookAgain(version?: string): Promise<void> {
  if (document.visibilityState === 'hidden' || !readSession().login) return;
  const shown = [...reads.values()].filter(({ listeners }) => listeners.size > 0);
  if (shown.length === 0) return;
  await Promise.all(shown.flatMap(({ reading }) => reading ?? []));
  const now = version ?? (await askRevision());
  if (now !== null) await Promise.all(shown.filter((read) => !read.isOf(now)).map((read) => read.load()));
}

/** Null if the service does not say. */
const askRevision = () =>
  sendAsViewer({ query: withRevision('query Revision {}') }).then(
    ({ result }) => takeRevision(result).revision,
    () => null,
  );

const look = () => void lookAgain();
document.addEventListener('visibilitychange', look);
addEventListener('online', look);
setInterval(look, lookMs);

interface Following {
  /** The event whose changes alone are shown. */
  readonly eventId?: string | null;
  /** What the page shows of others is not among the changes that the viewer is told of, or it is too much to read at each of them. */
  readonly ofAll?: boolean;
  /** Milliseconds for which changes are collected at least. */
  readonly collectMs?: number;
}

/** Reads again what is on display when something has changed of what the page shows. */
export function useLive({ eventId = null, ofAll = false, collectMs = 0 }: Following = {}): void {
  const credential = useSyncExternalStore(watchSession, readSession).login?.credential;
  useEffect(() => {
    if (credential === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let end: (() => void) | null = null;
    let isOver = false;
    let revision: string | undefined;
    // Changes that follow one another without end are read in between.
    const wake = (afterMs: number) => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void lookAgain(revision);
      }, afterMs);
    };
    const onChange = () => wake(Math.max(collectMs, gatherMs()));
    const follow = async () => {
      const { followChanges, followRevision } = await import('./follow.ts');
      if (isOver) return;
      // What has changed between the reads and now is told by the version.
      if (!ofAll) end = followChanges(credential, eventId, { onBegin: () => wake(0), onChange });
      else
        end = followRevision(credential, {
          onRevision: (next) => {
            const isFirst = revision === undefined;
            revision = next;
            if (isFirst) wake(0);
            else onChange();
          },
        });
    };
    // Without a connection there is nothing to follow.
    const start = () => void follow().catch(() => (retry = setTimeout(start, lookMs)));
    let retry: ReturnType<typeof setTimeout> | undefined;
    start();
    return () => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(retry);
      end?.();
    };
  }, [credential, eventId, ofAll, collectMs]);
}

// Answers that one person has read are not for the next.
let reader: string | undefined;
watchSession(() => {
  const { viewer } = readSession();
  const next = viewer ? `${viewer.business.id} ${viewer.email ?? viewer.name}` : undefined;
  if (next !== reader) reads.clear();
  reader = next;
});

export interface ReadState<Data> {
  /** Null until the first answer. While other variables are read, the data of those before. */
  readonly data: Data | null;
  readonly error: string | null;
  readonly isLoading: boolean;
  readonly retry: () => void;
}

/** Reads a query. `null` in place of the query reads nothing yet. */
export function useRead<Data, Taken>(
  query: TypedDocument<Data, Taken> | null,
  variables = {} as VariablesOf<Taken>,
): ReadState<Data> {
  const key = query === null ? '' : JSON.stringify([query, variables]);
  let read = reads.get(key);
  if (!read) reads.set(key, (read = new Read(query ?? '', variables)));
  const current = read;
  const { data, error, isLoading } = useSyncExternalStore(current.watch, current.snapshot);
  const [last, setLast] = useState<unknown>(null);
  if (data !== null && data !== last) setLast(data);
  useEffect(() => {
    if (query !== null) current.open();
  }, [current, query]);
  const retry = useCallback(() => void current.load(), [current]);
  return { data: (data ?? last) as Data | null, error, isLoading, retry };
}

/** Why a write was refused. */
export interface Fault {
  /** Code of the service; NETWORK if no answer came. */
  readonly code: string;
  readonly message: string;
  /** What is wrong with a field of the input, by its path. */
  readonly fields: Readonly<Record<string, string>>;
  /** Further data of the refusal, such as `clashes` and `inUse`. */
  readonly details: Readonly<Record<string, unknown>>;
}

type WriteOutcome<Data> =
  { readonly data: Data; readonly fault: null } | { readonly data: null; readonly fault: Fault };

/**
 * Writes by a mutation; null where there is nothing to write. One that declares `$idempotencyKey: String` gets a key, which stays the same while the outcome of the same
 * input is unknown, so that a repeat changes nothing twice.
 */
export function useWrite<Data, Taken>(mutation: TypedDocument<Data, Taken> | null) {
  const { shell } = useMessages();
  const [isPending, setIsPending] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const unknown = useRef<{ readonly input: string; readonly key: string } | null>(null);
  const write = useCallback(
    async (variables: VariablesOf<Taken>): Promise<WriteOutcome<Data>> => {
      setIsPending(true);
      const input = JSON.stringify(variables);
      const key = unknown.current?.input === input ? unknown.current.key : createKey();
      unknown.current = { input, key };
      const query: string = mutation ?? '';
      const keyed = /\$idempotencyKey\b/.test(query) ? { ...variables, idempotencyKey: key } : variables;
      const outcome = await sendAsViewer({ query, variables: keyed }).then(
        ({ result: { data, errors = [] } }): WriteOutcome<Data> =>
          errors[0] || !data
            ? { data: null, fault: describeFault(errors[0], data) }
            : { data: data as Data, fault: null },
        (): WriteOutcome<Data> => ({
          data: null,
          fault: { code: 'NETWORK', message: shell.notSaved, fields: {}, details: {} },
        }),
      );
      if (!['NETWORK', 'OUTCOME_UNKNOWN'].includes(outcome.fault?.code ?? '')) unknown.current = null;
      setIsPending(false);
      setFault(outcome.fault);
      if (outcome.fault?.code !== 'NETWORK') void refreshReads();
      return outcome;
    },
    [mutation, shell],
  );
  return { write, isPending, fault, forgetFault: useCallback(() => setFault(null), []) };
}

function describeFault(error: ServiceError | undefined, data: object | null | undefined): Fault {
  const {
    code = 'INTERNAL',
    errors = {},
    ...details
  }: NonNullable<ServiceError['extensions']> & Readonly<Record<string, unknown>> = error?.extensions ?? {};
  const fields = Object.entries(errors).map(([path, texts]) => [path.replace(/^input\./, ''), texts.join(' ')]);
  // Clashes of a payload name people; those of an error have their ids alone.
  const [payload] = Object.values(data ?? {}) as ({ clashes?: unknown } | null)[];
  const { clashes = details['clashes'] } = payload ?? {};
  return { code, message: error?.message ?? '', fields: Object.fromEntries(fields), details: { ...details, clashes } };
}
