import {
  createOperationDescriptor,
  fetchQuery,
  getRequest,
  type Environment,
  type GraphQLTaggedNode,
  type OperationType,
} from 'relay-runtime';

/** Reads a query, and keeps its data as the store changes. In React, `useLazyLoadQuery` does this. */
export async function watch<Query extends OperationType>(
  environment: Environment,
  query: GraphQLTaggedNode,
  variables: Query['variables'],
): Promise<{ data(): Query['response']; onChange(listener: () => void): () => void }> {
  await fetchQuery(environment, query, variables).toPromise();
  const operation = createOperationDescriptor(getRequest(query), variables);
  environment.retain(operation);
  const listeners = new Set<() => void>();
  let { data } = environment.lookup(operation.fragment);
  environment.subscribe(environment.lookup(operation.fragment), (snapshot) => {
    data = snapshot.data;
    for (const listener of listeners) listener();
  });
  return {
    data: () => data as Query['response'],
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
