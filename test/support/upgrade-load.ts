import { randomUUID } from 'node:crypto';
import { Agent } from 'node:https';
import type { Proxy } from './proxies.ts';
import { askThrough, type ProxiedAnswer, type ProxiedCall } from './through-proxy.ts';

/* Reads and writes in both dialects that mean the same to two versions which run side by side. */

/** GraphQL documents of the load. A test says that they are valid in both versions. */
export const documents = {
  firstPage: '{ events(first: 1) { pageInfo { endCursor } nodes { uuid } } }',
  nextPage: 'query ($after: String!) { events(first: 1, after: $after) { nodes { uuid } } }',
  viewer: '{ viewer { name role } }',
  events: 'query ($text: String!) { events(perPage: 1, filter: { text: $text }) { totalCount nodes { title } } }',
  skillLevels: '{ skillLevels { name } }',
  createSkillLevel: `mutation ($name: String!, $key: String!) {
    createSkillLevel(idempotencyKey: $key, input: { name: $name }) { name }
  }`,
};

export interface Load {
  /** Rounds that are done. Each one writes, reads what it wrote, and repeats a write. */
  rounds(): number;
  /** Events that were created, by uuid, with their last title. */
  readonly titles: ReadonlyMap<string, string>;
  /** Titles of events that were created without a key, and never asked for again. */
  readonly once: readonly string[];
  /** Ends after the rounds that are under way, and returns all that was lost or wrong. */
  end(): Promise<string[]>;
}

const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };
const rest = (method: string, path: string, body?: object): ProxiedCall => ({ method, path, ...(body && { body }) });
const graphql = (query: string, variables: object = {}) => rest('POST', '/graphql', { query, variables });

/** Several workers share the credentials: API keys and personal tokens of admins. */
export function startLoad(proxy: Proxy, credentials: readonly string[], workers: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: workers });
  const titles = new Map<string, string>();
  const once: string[] = [];
  const faults: string[] = [];
  const progress = { rounds: 0, isOver: false };

  /** Sends a call, and records an answer that lacks one of the texts. */
  const expectOf =
    (as: string) =>
    async (call: ProxiedCall, status: number, ...texts: string[]): Promise<ProxiedAnswer | null> => {
      const what = `round ${progress.rounds}: ${call.method} ${call.path} ${JSON.stringify(call.body ?? null)}`;
      try {
        const answer = await askThrough(proxy, agent, call, as);
        if (answer.status === status && texts.every((text) => answer.body.includes(text))) return answer;
        faults.push(`${what}: ${answer.status} ${answer.body.slice(0, 300)}`);
      } catch (error) {
        faults.push(`${what}: ${(error as Error).message}`);
      }
      return null;
    };

  const round = async (as: string) => {
    const expectAnswer = expectOf(as);
    const name = randomUUID();
    const create = { ...rest('POST', '/v1/events', { title: `Event ${name}`, ...times }), idempotencyKey: name };
    const created = await expectAnswer(create, 201, name);
    if (created) {
      const uuid = /"uuid":"([^"]+)"/.exec(created.body)?.[1] ?? '';
      await expectAnswer(rest('GET', `/v1/events/${uuid}`), 200, `"Event ${name}"`);
      await expectAnswer(rest('PUT', `/v1/events/${uuid}`, { title: `Moved ${name}` }), 200);
      titles.set(uuid, `Moved ${name}`);
      await expectAnswer(rest('GET', `/v1/events/${uuid}`), 200, `"Moved ${name}"`);
      await expectAnswer(graphql(documents.events, { text: name }), 200, '"totalCount":1', `"Moved ${name}"`);
      await expectAnswer(create, 201, uuid);
    }
    once.push(`Once ${name}`);
    await expectAnswer(rest('POST', '/v1/events', { title: `Once ${name}`, ...times }), 201, name);
    const page = await expectAnswer(graphql(documents.firstPage), 200, '"nodes":[{"uuid"');
    const after = /"endCursor":"([^"]+)"/.exec(page?.body ?? '')?.[1] ?? '';
    await expectAnswer(graphql(documents.nextPage, { after }), 200, '"nodes":[{"uuid"');
    const createSkill = graphql(documents.createSkillLevel, { name, key: `skill ${name}` });
    await expectAnswer(createSkill, 200, `{"createSkillLevel":{"name":"${name}"}}`);
    await expectAnswer(graphql(documents.skillLevels), 200, name);
    await expectAnswer(createSkill, 200, `{"createSkillLevel":{"name":"${name}"}}`);
    await expectAnswer(graphql(documents.viewer), 200, '"role":"ADMIN"');
    await expectAnswer(rest('GET', '/api/v1/users?per_page=1'), 200, 'ann@late.example');
    progress.rounds++;
  };
  const work = async (as: string) => {
    while (!progress.isOver) await round(as);
  };
  const working = Promise.all(
    Array.from({ length: workers }, (_, index) => work(credentials[index % credentials.length] ?? '')),
  );
  return {
    rounds: () => progress.rounds,
    titles,
    once,
    end: async () => {
      progress.isOver = true;
      await working;
      agent.destroy();
      return faults;
    },
  };
}
