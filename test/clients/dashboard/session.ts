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
  /** Changes an event with a request that the client library knows nothing of. */
  changeElsewhere(eventId: string, input: object): Promise<void>;
  createElsewhere(title: string): Promise<void>;
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

  async function askElsewhere(query: string, variables: object): Promise<void> {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${data.access_token}` },
      body: JSON.stringify({ query, variables }),
    });
    const { errors } = (await response.json()) as { errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
  }

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
    changeElsewhere: (id, input) =>
      askElsewhere(
        'mutation ($id: ID!, $input: UpdateEventInput!) { updateEvent(id: $id, input: $input) { event { id } } }',
        { id, input },
      ),
    createElsewhere: (title) => {
      const times = { startTime: '2027-10-02 18:00:00', endTime: '2027-10-03 00:30:00', timezone: 'America/Chicago' };
      return askElsewhere('mutation ($input: CreateEventInput!) { createEvent(input: $input) { id } }', {
        input: { title, ...times },
      });
    },
    sent: () => sent,
    answered: () => answered,
    warnings,
  };
}
