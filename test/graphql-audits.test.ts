import { beforeAll, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { useService } from './support/app.ts';

let origin: string;

const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });

beforeAll(async () => {
  origin = await service.listen();
});

const audits = serverAudits({ url: () => `${origin}/graphql` });

test('there are the 61 audits of GraphQL over HTTP', () => {
  expect(audits).toHaveLength(61);
});

test.each(audits.map((audit) => ({ name: audit.name, id: audit.id, audit })))('$id: $name', async ({ audit }) => {
  const result = await audit.fn();
  expect(result).toMatchObject({ status: 'ok' });
});
