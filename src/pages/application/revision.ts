import type { Result } from './service.ts';

/* The data version of the business at which something was read: what was read stays true until another one comes. */

/** Adds the data version to a query, which costs a tenth of a request. Its operation comes before its fragments. */
export const withRevision = (query: string): string => query.replace('{', '{ revision ');

/** Separates the data version from the rest of an answer. */
export function takeRevision({ data }: Result): { readonly data: object | null; readonly revision: string | null } {
  const { revision = null, ...rest } = (data ?? {}) as Readonly<Record<string, unknown>> & {
    readonly revision?: string;
  };
  return { data: data ? rest : null, revision };
}
