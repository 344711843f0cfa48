/* Removes possible credentials from what GraphiQL stores between visits (open tabs and history). */

const names = /pass(word|wd)|secret|credential|accesstoken|changepassword|createapikey/i;
const shapes = /cb[ks]_[\w-]{8,}|eyJ[\w-]{10,}\.[\w-]+\.|Bearer\s+\S{12,}/;

const isSecret = (text: string): boolean => names.test(text) || shapes.test(text);

/** GraphiQL stores these values in its tabs as well. */
const neverKept = new Set(['graphiql:query', 'graphiql:variables', 'graphiql:headers', 'graphiql:theme']);

interface Kept {
  query?: string | null;
  variables?: string | null;
  headers?: string | null;
  operationName?: string | null;
}

/** Returns the value in the form in which it may be stored; null if it must not be stored. */
export function withoutSecrets(key: string, value: string): string | null {
  if (neverKept.has(key)) return null;
  if (!isSecret(value)) return value;
  try {
    const stored = JSON.parse(value) as Record<string, unknown>;
    for (const [name, items] of Object.entries(stored))
      if (Array.isArray(items)) stored[name] = name === 'tabs' ? items.map(emptied) : items.filter(isHarmless);
    const text = JSON.stringify(stored);
    return isSecret(text) ? null : text;
  } catch {
    return null;
  }
}

const isHarmless = (item: Kept): boolean => !isSecret(JSON.stringify(item));

const emptied = (tab: Kept): Kept =>
  isHarmless(tab) ? tab : { ...tab, query: null, variables: null, headers: null, operationName: null };
