import { withoutSecrets } from './secrets.ts';
import { localStore, sessionStore } from './stores.ts';
import { hasWork, mergeTabs, parseTabState, readActiveTab, type StoredTab, type TabState } from './tab-state.ts';

/**
 * Stores the work of one user of one business: open tabs, history and saved queries, without secrets.
 *
 * This browser tab keeps its open tabs in session storage, so that a reload finds them whatever another browser tab
 * does. Local storage has the tabs of all, for the next visit.
 */
export class WorkStorage implements Storage {
  readonly length = 0;
  /** The tab in front when the page was opened; undefined on the first visit. */
  readonly initialTab: StoredTab | undefined;
  readonly isNew: boolean;
  private base: TabState;
  private isOpen = true;
  private readonly prefix: string;

  constructor(owner: string) {
    this.prefix = `callboard:playground:${owner}:`;
    removeUnownedItems();
    this.base = parseTabState(this.getItem(tabsKey));
    this.initialTab = readActiveTab(this.base);
    this.isNew = !hasWork(this.base);
  }

  readonly key = (): null => null;

  readonly getItem = (key: string): string | null =>
    sessionStore.getItem(this.prefix + key) ?? localStore.getItem(this.prefix + key);

  readonly setItem = (key: string, value: string): void => {
    if (!this.isOpen) return;
    const kept = withoutSecrets(key, value);
    if (kept === null) localStore.removeItem(this.prefix + key);
    else if (key === tabsKey) this.storeTabs(kept);
    else localStore.setItem(this.prefix + key, kept);
  };

  readonly removeItem = (key: string): void => {
    if (!this.isOpen) return;
    localStore.removeItem(this.prefix + key);
    sessionStore.removeItem(this.prefix + key);
  };

  /** GraphiQL clears its storage when the quota is exceeded; the work of the user is not given up for that. */
  readonly clear = (): void => undefined;

  /** Remembers a fact about this visit, such as which example a tab shows. */
  readonly note = (key: string, value: string): void => {
    if (this.isOpen && withoutSecrets(key, value) !== null) sessionStore.setItem(this.prefix + key, value);
  };

  /** Stores the tabs at once, since GraphiQL waits half a second. */
  saveTabs(state: { tabs: readonly object[]; activeTabIndex: number }): void {
    const isLeftOut = new Set(['hash', 'response', 'headers']);
    this.setItem(
      tabsKey,
      JSON.stringify(state, (key, value: unknown) => (isLeftOut.has(key) ? null : value)),
    );
  }

  open(): void {
    this.isOpen = true;
  }

  /** After this nothing is written: GraphiQL writes with a delay, and the user may have logged out meanwhile. */
  close(): void {
    this.isOpen = false;
  }

  private storeTabs(text: string): void {
    const mine = parseTabState(text);
    const merged = mergeTabs(this.base, mine, parseTabState(localStore.getItem(this.prefix + tabsKey)));
    this.base = mine;
    sessionStore.setItem(this.prefix + tabsKey, text);
    localStore.setItem(this.prefix + tabsKey, JSON.stringify(merged));
  }
}

const tabsKey = 'graphiql:tabState';

/** Earlier versions stored the work of all users together. Nobody knows whose it is, so nobody gets it. */
function removeUnownedItems(): void {
  for (const key of localStore.keys()) if (key.startsWith('graphiql:')) localStore.removeItem(key);
}

/** Forgets this browser tab's copy of the open tabs when the user logs out. */
export function forgetVisit(): void {
  for (const key of sessionStore.keys()) if (key.startsWith('callboard:playground:')) sessionStore.removeItem(key);
}
