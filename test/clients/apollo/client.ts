import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { possibleTypes, typePolicies } from '../settings/apollo.ts';

/** `fetch` sends the header `Authorization`. */
export function createClient(uri: string, fetch: typeof globalThis.fetch): ApolloClient {
  return new ApolloClient({
    link: new HttpLink({ uri, fetch }),
    cache: new InMemoryCache({ possibleTypes, typePolicies }),
  });
}
