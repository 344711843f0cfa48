import type { Service } from './app.ts';

/** How a GraphQL request with one root field, called `it`, ended. */
export interface Reply {
  /** `OK`, or the code of the failure. */
  readonly code: string;
  readonly message: string;
  readonly errors: Record<string, string[]>;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly extensions: any;
  /** The answer. */
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly it: any;
}

/** Asks in GraphQL: `query` starts with the variables' types, if any, and names its root field `it`. */
export const asker =
  (service: () => Service, kind: 'query' | 'mutation') =>
  async (as: string | undefined, query: string, variables: object = {}): Promise<Reply> => {
    const { body } = await service().graphql(`${kind} ${query}`, { as, variables });
    const [error] = body.errors ?? [];
    const { code = 'OK', errors = {}, ...extensions } = error?.extensions ?? {};
    return { code, message: error?.message ?? '', errors, extensions, it: body.data?.it ?? null };
  };
