import type { Fetcher } from '@graphiql/toolkit';
import { askAsViewer } from './session.ts';
import type { Answer, Question, Result } from './service.ts';

/* What was run in each of GraphiQL's tabs last, and what came of it. */

export interface Run {
  readonly question: Question;
  /** Null while it runs. */
  readonly result: Result | null;
  readonly elapsedMs: number;
  readonly refused: Answer['refused'];
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

  /** What is run from now on is run in this tab. */
  turnTo(tab: string): void {
    this.tab = tab;
  }

  /** Forgets the tabs that are closed. */
  keep(tabs: readonly string[]): void {
    if ([...this.byTab.keys()].every((tab) => tabs.includes(tab))) return;
    this.set(new Map([...this.byTab].filter(([tab]) => tabs.includes(tab))));
  }

  /** The tab in front gets another query. */
  readonly clear = (): void => this.keep([...this.byTab.keys()].filter((tab) => tab !== this.tab));

  stop(): void {
    this.running?.abort();
  }

  /** What GraphiQL asks through. */
  readonly fetcher: Fetcher = async ({ query, variables, operationName }) => {
    const { tab } = this;
    const question: Question = { query, variables: variables as Question['variables'], operationName };
    const pending = { question, result: null, elapsedMs: 0, refused: null, retryAfterS: null, endedAtMs: 0 };
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.note(tab, pending);
    let ended: Partial<Run>;
    try {
      ended = await askAsViewer(question, running.signal);
    } catch (error) {
      const message = running.signal.aborted ? 'Stopped.' : (error as Error).message;
      ended = { result: { errors: [{ message }] } };
    }
    // A newer run of this tab has its own end.
    if (this.byTab.get(tab) === pending) this.note(tab, { ...pending, ...ended, endedAtMs: Date.now() });
    return ended.result as Awaited<ReturnType<Fetcher>>;
  };

  private note(tab: string, run: Run): void {
    this.set(new Map(this.byTab).set(tab, run));
  }

  private set(byTab: ReadonlyMap<string, Run>): void {
    this.byTab = byTab;
    for (const listener of this.listeners) listener();
  }
}
