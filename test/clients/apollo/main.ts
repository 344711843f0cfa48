import type { ApolloClient, ObservableQuery } from '@apollo/client';
import { loadDevMessages, loadErrorMessages } from '@apollo/client/dev';
import { filter, firstValueFrom } from 'rxjs';
import { cancelShift, eventList, freeStaff, readNodes, renameEvent, staffingBoard } from '../dashboard/documents.ts';
import { openSession } from '../dashboard/session.ts';
import { takeTour, type Board, type EventList, type EventStatus } from '../dashboard/tour.ts';
import type { CallTimeRowFragment, EventListQuery, EventListQueryVariables } from '../generated/graphql/graphql.ts';
import type { StaffingBoardQuery, StaffingBoardQueryVariables } from '../generated/graphql/graphql.ts';
import { assign } from './assign.ts';
import { createClient } from './client.ts';
import { follow } from './live.ts';

/* A dashboard on Apollo Client, without React: `watchQuery` is what `useQuery` is made of. */

loadDevMessages();
loadErrorMessages();

const [origin = '', email = '', password = '', eventId = ''] = process.argv.slice(2);
const session = await openSession(origin, email, password);
const client: ApolloClient = createClient(session.url, session.fetch);

/** Waits for the first answer, and keeps watching. */
async function watch(
  query: { subscribe: ObservableQuery['subscribe'] } & Pick<ObservableQuery, 'pipe'>,
): Promise<void> {
  query.subscribe(() => {});
  await firstValueFrom(query.pipe(filter(({ loading }) => !loading)));
}

async function openList(statuses: EventStatus[], first: number): Promise<EventList> {
  const query: ObservableQuery<EventListQuery, EventListQueryVariables> = client.watchQuery({
    query: eventList,
    variables: { statuses, first },
  });
  await watch(query);
  const events = () => (query.getCurrentResult().data as EventListQuery | undefined)?.events;
  return {
    rows: () => events()?.edges.map(({ node }) => node) ?? [],
    loadMore: async () => {
      const page = events()?.pageInfo;
      if (!page?.hasNextPage) return false;
      await query.fetchMore({ variables: { after: page.endCursor } });
      return true;
    },
  };
}

async function openBoard(id: string): Promise<Board<CallTimeRowFragment>> {
  const query: ObservableQuery<StaffingBoardQuery, StaffingBoardQueryVariables> = client.watchQuery({
    query: staffingBoard,
    variables: { id },
  });
  await watch(query);
  return {
    callTimes: () => (query.getCurrentResult().data as StaffingBoardQuery | undefined)?.event?.callTimes ?? [],
    onChange: (listener) => {
      const subscription = query.subscribe(listener);
      return () => subscription.unsubscribe();
    },
    refresh: async () => void (await query.refetch()),
  };
}

await takeTour(
  session,
  {
    openList,
    openBoard,
    rename: async (id, title) => void (await client.mutate({ mutation: renameEvent, variables: { id, title } })),
    findFree: async (callTimeId) => {
      const { data } = await client.query({ query: freeStaff, variables: { callTimeId } });
      const [edge] = data?.staff?.edges ?? [];
      if (!edge) throw new Error('Nobody is free.');
      return edge.node;
    },
    assign: (assignment) => assign(client, assignment),
    follow: (onPage) => follow(client, { kinds: ['EVENT'] }, onPage, console.error),
    cancel: async (id) => void (await client.mutate({ mutation: cancelShift, variables: { id } })),
    readNodes: async (ids) => (await client.query({ query: readNodes, variables: { ids } })).data?.nodes ?? [],
  },
  eventId,
);
client.stop();
