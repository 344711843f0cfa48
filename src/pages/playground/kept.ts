import { withoutSecrets } from './secrets.ts';

/** Local storage for GraphiQL, which puts its own prefix before each key. */
export const storage: Storage = {
  get length() {
    return localStorage.length;
  },
  clear: () => localStorage.clear(),
  key: (index) => localStorage.key(index),
  getItem: (key) => localStorage.getItem(key),
  removeItem: (key) => localStorage.removeItem(key),
  setItem: (key, value) => {
    const kept = withoutSecrets(key, value);
    if (kept === null) localStorage.removeItem(key);
    else localStorage.setItem(key, kept);
  },
};
