import type { WorkStorage } from './work-storage.ts';

/* The queries that the user ran lately, and those that the user saved under a name. */

export interface PastQuery {
  readonly query: string;
  readonly variables: string;
  readonly name: string;
  readonly atMs: number;
}

export interface Queries {
  /** Newest first. */
  readonly history: readonly PastQuery[];
  /** By name. */
  readonly saved: readonly PastQuery[];
}

const longestHistory = 100;
const key = 'queries';

export class Library {
  private queries: Queries;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly storage: WorkStorage) {
    this.queries = this.load();
  }

  readonly read = (): Queries => this.queries;

  readonly watch = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    // Another browser tab has changed the list.
    const reload = (): void => this.set(this.load());
    addEventListener('storage', reload);
    return () => {
      this.listeners.delete(listener);
      removeEventListener('storage', reload);
    };
  };

  /** Puts a query that was run at the top; the same query is not listed twice. */
  addToHistory(past: PastQuery): void {
    const { history, saved } = this.load();
    const others = history.filter((other) => !isSame(other, past));
    this.store({ saved, history: [past, ...others].slice(0, longestHistory) });
  }

  /** Saves a query; one of the same name is replaced. */
  save(query: PastQuery): void {
    const { history, saved } = this.load();
    const others = saved.filter(({ name }) => name !== query.name);
    this.store({ history, saved: [...others, query].toSorted((a, b) => a.name.localeCompare(b.name, 'en')) });
  }

  remove(query: PastQuery): void {
    const { history, saved } = this.load();
    const isOther = (other: PastQuery): boolean => !isSame(other, query) || other.name !== query.name;
    this.store({ history: history.filter(isOther), saved: saved.filter(isOther) });
  }

  clearHistory(): void {
    this.store({ ...this.load(), history: [] });
  }

  private store(queries: Queries): void {
    this.storage.setItem(key, JSON.stringify(queries));
    // Queries with credentials are left out of what is stored.
    this.set(this.load());
  }

  private load(): Queries {
    try {
      const { history, saved } = JSON.parse(this.storage.getItem(key) ?? '{}') as Partial<Queries>;
      return { history: history ?? [], saved: saved ?? [] };
    } catch {
      return { history: [], saved: [] };
    }
  }

  private set(queries: Queries): void {
    this.queries = queries;
    for (const listener of this.listeners) listener();
  }
}

const isSame = (a: PastQuery, b: PastQuery): boolean => a.query === b.query && a.variables === b.variables;
