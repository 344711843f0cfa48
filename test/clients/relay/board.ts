import { commitMutation, fetchQuery, graphql, type Environment } from 'relay-runtime';
import type { Person } from '../dashboard/assignment.ts';
import type { Board } from '../dashboard/tour.ts';
import type { boardCancelMutation as CancelMutation } from '../generated/relay/boardCancelMutation.graphql.ts';
import type { boardQuery as BoardQuery } from '../generated/relay/boardQuery.graphql.ts';
import refreshQuery, { type boardRefreshQuery as RefreshQuery } from '../generated/relay/boardRefreshQuery.graphql.ts';
import type { boardStaffQuery as StaffQuery } from '../generated/relay/boardStaffQuery.graphql.ts';
import type { boardNodesQuery as NodesQuery } from '../generated/relay/boardNodesQuery.graphql.ts';
import type { CallTime } from './callTime.ts';
import { watch } from './watch.ts';

graphql`
  fragment board_event on Event {
    title
    start {
      iso
      timezone
    }
    coverage {
      needed
      assigned
    }
    callTimes {
      ...callTime_row @relay(mask: false)
    }
  }
`;

// Relay's compiler makes a query of this fragment that reads the event by `node`.
graphql`
  fragment board_refresh on Event @refetchable(queryName: "boardRefreshQuery") {
    ...board_event @relay(mask: false)
  }
`;

export async function openBoard(environment: Environment, id: string): Promise<Board<CallTime>> {
  const query = graphql`
    query boardQuery($id: ID!) {
      event(id: $id) {
        id
        ...board_event @relay(mask: false)
      }
    }
  `;
  const board = await watch<BoardQuery>(environment, query, { id });
  return {
    callTimes: () => board.data().event?.callTimes ?? [],
    onChange: board.onChange,
    refresh: async () => void (await fetchQuery<RefreshQuery>(environment, refreshQuery, { id }).toPromise()),
  };
}

export async function findFree(environment: Environment, callTimeId: string): Promise<Person> {
  const query = graphql`
    query boardStaffQuery($callTimeId: ID!) {
      staff(freeFor: $callTimeId, first: 1) {
        edges {
          node {
            id
            name
          }
        }
      }
    }
  `;
  const data = await fetchQuery<StaffQuery>(environment, query, { callTimeId }).toPromise();
  const [edge] = data?.staff?.edges ?? [];
  if (!edge) throw new Error('Nobody is free.');
  return edge.node;
}

export function cancel(environment: Environment, id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    commitMutation<CancelMutation>(environment, {
      mutation: graphql`
        mutation boardCancelMutation($id: ID!) {
          cancelShift(id: $id) {
            id
            status
            callTime {
              ...callTime_row @relay(mask: false)
            }
          }
        }
      `,
      variables: { id },
      onCompleted: () => resolve(),
      onError: reject,
    });
  });
}

export async function readNodes(environment: Environment, ids: string[]): Promise<({ id: string } | null)[]> {
  const query = graphql`
    query boardNodesQuery($ids: [ID!]!) {
      nodes(ids: $ids) {
        ... on Node {
          id
        }
      }
    }
  `;
  const data = await fetchQuery<NodesQuery>(environment, query, { ids }).toPromise();
  return data?.nodes?.map((node) => node && { id: node.id }) ?? [];
}
