import type { DocumentInput, OperationContext } from '@urql/core';
import { cancelShift, eventList, freeStaff, readNodes, renameEvent, staffingBoard } from '../dashboard/documents.ts';
import { openSession } from '../dashboard/session.ts';
import { takeTour, type Board, type EventList, type EventStatus } from '../dashboard/tour.ts';
import type { CallTimeRowFragment } from '../generated/graphql/graphql.ts';
import { assign } from './assign.ts';
import { createClient } from './client.ts';
import { follow } from './live.ts';

/* A dashboard on urql with Graphcache, without React: `client.query` is what `useQuery` is made of. */

const [origin = '', email = '', password = '', eventId = ''] = process.argv.slice(2);
const session = await openSession(origin, email, password);
const client = createClient(session.url, session.fetch);

/** Data of a result, or its error. */
function dataOf<Data>({ data, error }: { data?: Data | undefined; error?: Error | undefined }): Data {
  if (error) throw error;
  if (!data) throw new Error('There is no answer.');
  return data;
}

/** Reads a query, and keeps its data as the cache changes. */
async function watch<Data, Variables extends object>(
  query: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<{
  data(): Data;
  onChange(listener: () => void): () => void;
  refresh(context: Partial<OperationContext>): Promise<void>;
}> {
  const listeners = new Set<() => void>();
  let last: Data = dataOf(await client.query(query, variables).toPromise());
  client.query(query, variables).subscribe((result) => {
    last = dataOf(result);
    for (const listener of listeners) listener();
  });
  return {
    data: () => last,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    refresh: async (context) => void dataOf(await client.query(query, variables, context).toPromise()),
  };
}

async function openList(statuses: EventStatus[], first: number): Promise<EventList> {
  const list = await watch(eventList, { statuses, first, after: null });
  return {
    rows: () => list.data().events?.edges.map(({ node }) => node) ?? [],
    loadMore: async () => {
      const page = list.data().events?.pageInfo;
      if (!page?.hasNextPage) return false;
      dataOf(await client.query(eventList, { statuses, first, after: page.endCursor }).toPromise());
      return true;
    },
  };
}

async function openBoard(id: string): Promise<Board<CallTimeRowFragment>> {
  const board = await watch(staffingBoard, { id });
  return {
    callTimes: () => board.data().event?.callTimes ?? [],
    onChange: board.onChange,
    refresh: () => board.refresh({ requestPolicy: 'network-only' }),
  };
}

await takeTour(
  session,
  {
    openList,
    openBoard,
    rename: async (id, title) => void dataOf(await client.mutation(renameEvent, { id, title }).toPromise()),
    findFree: async (callTimeId) => {
      const [edge] = dataOf(await client.query(freeStaff, { callTimeId }).toPromise()).staff?.edges ?? [];
      if (!edge) throw new Error('Nobody is free.');
      return edge.node;
    },
    assign: (assignment) => assign(client, assignment),
    follow: (onPage) => follow(client, { kinds: ['EVENT'] }, onPage, console.error),
    cancel: async (id) => void dataOf(await client.mutation(cancelShift, { id }).toPromise()),
    readNodes: async (ids) => dataOf(await client.query(readNodes, { ids }).toPromise()).nodes ?? [],
  },
  eventId,
);
