/* The queries of the examples, read from their files. */

const files = import.meta.glob<string>('./examples/*.graphql', { query: '?raw', import: 'default', eager: true });

export const documents: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, text]) => [path.replace(/^.*\/|\.graphql$/g, ''), text.trim()]),
);
