import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import type { CreateEventInput } from '../generated/graphql/graphql.ts';
import { board, createEvent, eventPage, logIn } from './documents.ts';

/* A dashboard's day: log in, page through the events, open one as a board, create one, and meet a refusal. */

const [origin = 'http://127.0.0.1:4000', email = '', password = ''] = process.argv.slice(2);

let token: string | undefined;
let roundTrips = 0;
const authorization = new SetContextLink(({ headers }) => ({
  headers: { ...(headers as object), ...(token && { authorization: `Bearer ${token}` }) },
}));
const http = new HttpLink({
  uri: `${origin}/graphql`,
  fetch: (...request) => {
    roundTrips++;
    return fetch(...request);
  },
});
const client = new ApolloClient({
  link: authorization.concat(http),
  // Reads page by page and joins none, so the defaults do.
  cache: new InMemoryCache(),
});

const login = await client.mutate({ mutation: logIn, variables: { email, password } });
token = login.data?.login?.accessToken;

const events: { uuid: string; callTimes: unknown[] | null }[] = [];
let pages = 0;
let after: string | null = null;
do {
  const { data } = await readPage(after);
  if (!data?.events) throw new Error('There is no page.');
  events.push(...data.events.nodes);
  pages++;
  after = data.events.pageInfo.hasNextPage ? data.events.pageInfo.endCursor : null;
} while (after !== null);

function readPage(from: string | null) {
  return client.query({ query: eventPage, variables: { first: 10, after: from } });
}

const staffed = events.find(({ callTimes }) => (callTimes?.length ?? 0) > 1) ?? events[0];
const before = roundTrips;
const { data: screen } = await client.query({ query: board, variables: { uuid: staffed?.uuid ?? '' } });
const boardRoundTrips = roundTrips - before;

const input: CreateEventInput = {
  title: 'From the dashboard',
  startTime: '2027-10-02 18:00:00',
  endTime: '2027-10-03 00:30:00',
  timezone: 'America/Chicago',
};
const created = await client.mutate({ mutation: createEvent, variables: { input } });

/** What a caller can act upon: the code, and what is wrong by field. */
async function refusalOf(work: Promise<unknown>) {
  try {
    await work;
    return null;
  } catch (error) {
    if (!CombinedGraphQLErrors.is(error)) throw error;
    const { code, errors } = error.errors[0]?.extensions ?? {};
    return { code, errors };
  }
}

const wrongOrder = { ...input, endTime: '2027-10-02 17:00:00' };
console.log(
  JSON.stringify({
    uuids: events.map(({ uuid }) => uuid),
    pages,
    board: screen?.event,
    boardRoundTrips,
    created: created.data?.createEvent,
    refused: await refusalOf(client.mutate({ mutation: createEvent, variables: { input: wrongOrder } })),
    unknown: await refusalOf(client.query({ query: board, variables: { uuid: crypto.randomUUID() } })),
  }),
);
client.stop();
