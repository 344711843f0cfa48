import { format } from 'node:util';

/** What one caller sends, and what the client library complains of meanwhile. */
export interface Session {
  readonly url: string;
  /** Sends requests as the caller. */
  readonly fetch: typeof fetch;
  /** Requests sent so far. */
  sent(): number;
  /** Requests answered so far. */
  answered(): number;
  /** Renames an event with a request that the client library knows nothing of. */
  renameElsewhere(eventId: string, title: string): Promise<void>;
  /** Everything written to `console.warn` and `console.error`. */
  readonly warnings: readonly string[];
}

export async function openSession(origin: string, email: string, password: string): Promise<Session> {
  const answer = await fetch(`${origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { data } = (await answer.json()) as { data: { access_token: string } };

  let sent = 0;
  let answered = 0;
  const warnings: string[] = [];
  console.warn = console.error = (...words: unknown[]) => void warnings.push(format(...words));
  return {
    url: `${origin}/graphql`,
    fetch: async (address, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${data.access_token}`);
      sent++;
      const response = await fetch(address, { ...init, headers });
      answered++;
      return response;
    },
    renameElsewhere: async (id, title) => {
      const query =
        'mutation ($id: ID!, $title: String!) { updateEvent(id: $id, input: { title: $title }) { event { id } } }';
      await fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${data.access_token}` },
        body: JSON.stringify({ query, variables: { id, title } }),
      });
    },
    sent: () => sent,
    answered: () => answered,
    warnings,
  };
}
