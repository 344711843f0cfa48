import { withoutSecrets } from './secrets.ts';

/** Local storage for GraphiQL without secrets. GraphiQL adds its own prefix to each key. */
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
