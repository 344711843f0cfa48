/* The stores of the browser. Where it allows none, what is stored lasts as long as the page. */

interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  keys(): string[];
}

function openStore(find: () => Storage): Store {
  try {
    const store = find();
    return {
      getItem: (key) => store.getItem(key),
      setItem: (key, value) => store.setItem(key, value),
      removeItem: (key) => store.removeItem(key),
      keys: () => Object.keys(store),
    };
  } catch {
    const items = new Map<string, string>();
    return {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
      keys: () => [...items.keys()],
    };
  }
}

export const localStore = openStore(() => localStorage);
export const sessionStore = openStore(() => sessionStorage);
