import type { TestAnswer, TestApp } from './app.ts';
import { sqlCount } from './sql-watch.ts';

type Headers = Record<string, string>;

/** An answer, and how many SQL statements it took: one alone, for the credential, is of an answer that was known. */
export interface Read extends TestAnswer {
  readonly statements: number;
}

/** The ways to read the events of a business, each in one request of two root fields in GraphQL. */
export const waysToRead: Record<string, (service: TestApp, as: string, headers?: Headers) => Promise<TestAnswer>> = {
  REST: (service, as, headers = {}) => service.call('GET', '/v1/events?per_page=50', { as, headers }),
  'GraphQL by POST': (service, as, headers = {}) => service.graphql(query, { as, headers }),
  'GraphQL by GET': (service, as, headers = {}) =>
    service.call('GET', `/graphql?query=${encodeURIComponent(query)}`, {
      as,
      headers: { 'apollo-require-preflight': '1', ...headers },
    }),
};

const query = '{ events(perPage: 50) { nodes { title workShifts { firstName } } } positions { title } }';

export async function counted(asking: Promise<TestAnswer>, before = sqlCount()): Promise<Read> {
  return { ...(await asking), statements: sqlCount() - before };
}

/** Headers that differ from one answer to the next, however equal they are. */
const ownHeaders = /^(date|x-request-id|x-ratelimit-.*)$/;

/** What of an answer must be the same, whether it was known or not. */
export const shown = ({ status, headers, body }: TestAnswer) => ({
  status,
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.test(name))),
});
