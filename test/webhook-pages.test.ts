import { expect, test } from '@jest/globals';
import { useService, useTenant } from './support/app.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

/* Pages of the messages of webhooks in GraphQL. */

const service = useService();
const tenant = useTenant(service);
const create = async () => {
  const url = 'https://receiver.example/';
  const { body } = await service.call('POST', '/v1/webhooks', { as: tenant.as.admin, body: { url } });
  return service.prisma.webhookEndpoint.findFirstOrThrow({ where: { uuid: body.data.uuid } });
};

test('a cursor leads through all messages of a webhook, and its node reads one again', async () => {
  const webhook = await create();
  const made = [];
  for (let count = 0; count < 5; count++) made.unshift((await service.createWebhookMessage(webhook)).uuid);
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const { body } = await service.graphql(
      `query ($after: String) { webhookEndpoint(id: "${webhook.uuid}") { messages(first: 2, after: $after) {
         totalCount nodes { id uuid } edges { cursor node { uuid } } pageInfo { hasNextPage endCursor } } } }`,
      { as: tenant.as.admin, variables: { after } },
    );
    const { nodes, pageInfo, totalCount } = body.data.webhookEndpoint.messages;
    expect(totalCount).toBe(5);
    seen.push(...nodes.map(({ uuid }: { uuid: string }) => uuid));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    const node = `{ node(id: "${nodes[0].id}") { ... on WebhookMessage { uuid payload } } }`;
    const read = await service.graphql(node, { as: tenant.as.admin });
    expect(read.body.data.node).toMatchObject({ uuid: nodes[0].uuid, payload: { data: { some_field: 1 } } });
  } while (after !== null);
  expect(seen).toEqual(made);
});

test('a page of messages of all webhooks, with their attempts, takes one statement for each kind of row', async () => {
  const ask = () =>
    service.graphql('{ webhookEndpoints { messages(perPage: 2) { nodes { uuid attempts { statusCode } } } } }', {
      as: tenant.as.admin,
    });
  const statements = async () => {
    const before = sqlCount();
    const { body } = await ask();
    return { lists: body.data.webhookEndpoints, count: statementsSince(before).length };
  };
  const addWebhook = async (statusCode: number) => {
    const webhook = await create();
    for (let count = 0; count < 3; count++) {
      const { id: messageId, businessId } = await service.createWebhookMessage(webhook);
      await service.prisma.webhookAttempt.create({ data: { businessId, messageId, statusCode, durationMs: 1 } });
    }
  };
  await addWebhook(204);
  const one = await statements();
  await addWebhook(500);
  const two = await statements();
  expect(two.count).toBe(one.count);
  const shown = (statusCode: number) =>
    Array.from({ length: 2 }, () => ({ uuid: expect.any(String), attempts: [{ statusCode }] }));
  expect(two.lists).toEqual([204, 500].map((statusCode) => ({ messages: { nodes: shown(statusCode) } })));
});
