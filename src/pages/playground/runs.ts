import type { Fetcher } from '@graphiql/toolkit';
import { sendAsViewer } from '../shared/session.ts';
import type { ServiceAnswer, GraphQLRequest, Result } from '../shared/service.ts';

/* Keeps the last run of each GraphiQL tab and its result. */

export interface Run {
  readonly request: GraphQLRequest;
  /** Null while the request is running. */
  readonly result: Result | null;
  readonly elapsedMs: number;
  readonly refused: ServiceAnswer['refused'];
  readonly retryAfterS: number | null;
  readonly endedAtMs: number;
}

export class Runs {
  private byTab: ReadonlyMap<string, Run> = new Map();
  private readonly listeners = new Set<() => void>();
  private running: AbortController | null = null;
  private tab = '';

  readonly read = (): ReadonlyMap<string, Run> => this.byTab;

  readonly watch = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

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
    const result = { errors: [{ message }] };
    this.store(this.tab, { request, result, elapsedMs: 0, refused: null, retryAfterS: null, endedAtMs: Date.now() });
  }

  stop(): void {
    this.running?.abort();
  }

  /** The function through which GraphiQL sends requests. */
  readonly fetcher: Fetcher = async ({ query, variables, operationName }) => {
    const { tab } = this;
    const request: GraphQLRequest = { query, variables: variables as GraphQLRequest['variables'], operationName };
    const pending = { request, result: null, elapsedMs: 0, refused: null, retryAfterS: null, endedAtMs: 0 };
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.store(tab, pending);
    let ended: Partial<Run>;
    try {
      ended = await sendAsViewer(request, running.signal);
    } catch (error) {
      const message = running.signal.aborted ? 'Stopped.' : (error as Error).message;
      ended = { result: { errors: [{ message }] } };
    }
    // A newer run of this tab must not be overwritten.
    if (this.byTab.get(tab) === pending) this.store(tab, { ...pending, ...ended, endedAtMs: Date.now() });
    return ended.result as Awaited<ReturnType<Fetcher>>;
  };

  private store(tab: string, run: Run): void {
    this.set(new Map(this.byTab).set(tab, run));
  }

  private set(byTab: ReadonlyMap<string, Run>): void {
    this.byTab = byTab;
    for (const listener of this.listeners) listener();
  }
}
