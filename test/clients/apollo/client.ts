import { ApolloClient, InMemoryCache } from '@apollo/client';
import { possibleTypes, typePolicies } from '../settings/apollo.ts';
import { createLink } from './live.ts';

/** `fetch` sends the header `Authorization`. */
export function createClient(uri: string, fetch: typeof globalThis.fetch): ApolloClient {
  return new ApolloClient({
    link: createLink(uri, fetch),
    cache: new InMemoryCache({ possibleTypes, typePolicies }),
  });
}
