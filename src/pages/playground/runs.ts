import type { Fetcher } from '@graphiql/toolkit';
import type { GraphQLSchema } from 'graphql';
import { sendAsViewer } from '../application/session.ts';
import { describeErrors, type ServiceAnswer, type GraphQLRequest, type Result } from '../application/service.ts';
import { findOperation } from './operations.ts';
import { appendPage, askForPages, requestNextPage, takePages, type Pages } from './paging.ts';

/* Keeps the last run of each GraphiQL tab and its result. */

/** What the service measured about a query, each with its limit. */
export type Cost = Readonly<Record<string, { readonly actual: number; readonly max: number }>>;

export interface Run {
  readonly request: GraphQLRequest;
  /** Null while the request is running. */
  readonly result: Result | null;
  readonly pages: Pages;
  readonly cost: Cost | null;
  readonly elapsedMs: number;
  readonly refused: ServiceAnswer['refused'];
  readonly retryAfterS: number | null;
  readonly endedAtMs: number;
}

const noPages: Pages = new Map();
const pending = {
  result: null,
  pages: noPages,
  cost: null,
  elapsedMs: 0,
  refused: null,
  retryAfterS: null,
  endedAtMs: 0,
};

/** Most items that the service gives per page. */
const longestPage = 100;

export class Runs {
  /** Null until it is loaded; the lengths of lists are then not asked for. */
  private schema: GraphQLSchema | null = null;
  private readonly endListeners = new Set<(run: Run) => void>();
  private byTab: ReadonlyMap<string, Run> = new Map();
  private readonly listeners = new Set<() => void>();
  private running: AbortController | null = null;
  private tab = '';

  readonly read = (): ReadonlyMap<string, Run> => this.byTab;

  readonly watch = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Calls the listener with each run that has ended. */
  readonly watchEnd = (listener: (run: Run) => void): (() => void) => {
    this.endListeners.add(listener);
    return () => void this.endListeners.delete(listener);
  };

  setSchema(schema: GraphQLSchema | null): void {
    this.schema = schema;
  }

  /** Runs belong to this tab from now on. */
  selectTab(tab: string): void {
    this.tab = tab;
  }

  /** Drops the runs of closed tabs. */
  keepTabs(tabs: readonly string[]): void {
    if ([...this.byTab.keys()].every((tab) => tabs.includes(tab))) return;
    this.set(new Map([...this.byTab].filter(([tab]) => tabs.includes(tab))));
  }

  /** Drops the run of the active tab, because it gets another query. */
  readonly clear = (): void => this.keepTabs([...this.byTab.keys()].filter((tab) => tab !== this.tab));

  /** Stores the reason why the active tab's query was not sent, in place of its previous result. */
  refuse(request: GraphQLRequest, message: string): void {
    this.stop();
    this.store(this.tab, { ...pending, request, result: { errors: [{ message }] }, endedAtMs: Date.now() });
  }

  stop(): void {
    this.running?.abort();
  }

  /** The function through which GraphiQL sends requests. */
  readonly fetcher: Fetcher = async ({ query, variables, operationName }) => {
    const { tab } = this;
    const asked: GraphQLRequest = { query, variables: variables as GraphQLRequest['variables'], operationName };
    // GraphiQL reads the editor with a delay, so its operation may be one of the query before.
    const request = { ...asked, operationName: findOperation(asked)?.name?.value };
    const started: Run = { ...pending, request };
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.store(tab, started);
    let ended: Partial<Run>;
    try {
      const sent = { ...request, query: askForPages(request, this.schema), asksCost: true };
      ended = readAnswer(await sendAsViewer(sent, running.signal));
    } catch (error) {
      const message = running.signal.aborted ? 'Stopped.' : (error as Error).message;
      ended = { result: { errors: [{ message }] } };
    }
    const run = { ...started, ...ended, endedAtMs: Date.now() };
    // A newer run of this tab must not be overwritten.
    if (this.byTab.get(tab) === started) this.store(tab, run);
    for (const listener of this.endListeners) listener(run);
    return run.result as Awaited<ReturnType<Fetcher>>;
  };

  /**
   * Reads the next rows of the list under the root field `key`, or all of them, and returns the whole result. Throws
   * with the service's message; what was read until then is kept.
   */
  async readOn(run: Run, key: string, isToEnd: boolean): Promise<Result | null> {
    const { tab } = this;
    let current = run;
    for (;;) {
      const page = current.pages.get(key);
      const data = current.result?.data;
      if (!page?.hasNextPage || page.endCursor === null || !data) break;
      const nodes = (run.result?.data?.[key] as { nodes?: unknown[] })?.nodes ?? [];
      const size = isToEnd ? longestPage : Math.min(longestPage, Math.max(1, nodes.length));
      const next = requestNextPage(run.request, key, size, page.endCursor);
      const answer = await sendAsViewer({ ...next, query: askForPages(next, this.schema) });
      const reason = describeErrors(answer.result);
      if (reason !== null) throw new Error(reason);
      const { result, pages } = readAnswer(answer);
      if (this.byTab.get(tab) !== current) return null;
      current = {
        ...current,
        result: { ...current.result, data: appendPage(data, result.data ?? {}, key) },
        pages: new Map([...current.pages, ...pages]),
      };
      this.store(tab, current);
      if (!isToEnd) break;
    }
    return current.result;
  }

  private store(tab: string, run: Run): void {
    this.set(new Map(this.byTab).set(tab, run));
  }

  private set(byTab: ReadonlyMap<string, Run>): void {
    this.byTab = byTab;
    for (const listener of this.listeners) listener();
  }
}

/** Separates what the playground asked for from what the user asked for. */
function readAnswer({ result: { data, extensions, ...rest }, ...answer }: ServiceAnswer) {
  const { cost = null, ...others } = (extensions ?? {}) as { cost?: Cost };
  const taken = takePages(data);
  const result: Result = {
    ...rest,
    ...(data !== undefined && { data: taken.data ?? null }),
    ...(Object.keys(others).length > 0 && { extensions: others }),
  };
  return { ...answer, result, pages: taken.pages, cost };
}
