/* The open tabs as GraphiQL stores them, and how the tabs of several browser tabs become one list. */

export interface StoredTab {
  readonly id: string;
  readonly query: string | null;
  readonly variables: string | null;
  readonly [other: string]: unknown;
}

export interface TabState {
  readonly tabs: readonly StoredTab[];
  readonly activeTabIndex: number;
}

const none: TabState = { tabs: [], activeTabIndex: 0 };

export function parseTabState(text: string | null): TabState {
  try {
    const { tabs, activeTabIndex } = JSON.parse(text ?? 'null') as TabState;
    return Array.isArray(tabs) && tabs.length > 0 ? { tabs, activeTabIndex } : none;
  } catch {
    return none;
  }
}

export const readActiveTab = ({ tabs, activeTabIndex }: TabState): StoredTab | undefined =>
  tabs[Math.min(Math.max(activeTabIndex, 0), tabs.length - 1)];

export const hasWork = ({ tabs }: TabState): boolean => tabs.some(({ query }) => (query ?? '').trim() !== '');

/**
 * Adds the changes since `base` to what is stored, which another browser tab may have changed meanwhile: its new tabs
 * stay, and a tab that it changed stays changed unless it was changed here too.
 */
export function mergeTabs(base: TabState, mine: TabState, stored: TabState): TabState {
  const [baseById, mineById, storedById] = [base, mine, stored].map(
    ({ tabs }) => new Map(tabs.map((tab) => [tab.id, tab])),
  );
  const isChanged = (tab: StoredTab): boolean => JSON.stringify(baseById!.get(tab.id)) !== JSON.stringify(tab);
  const kept = mine.tabs.flatMap((tab) => (isChanged(tab) ? [tab] : (storedById!.get(tab.id) ?? [])));
  const added = stored.tabs.filter(({ id }) => !mineById!.has(id) && !baseById!.has(id));
  const active = readActiveTab(mine)?.id;
  const tabs = [...kept, ...added];
  return {
    tabs,
    activeTabIndex: Math.max(
      0,
      tabs.findIndex(({ id }) => id === active),
    ),
  };
}
