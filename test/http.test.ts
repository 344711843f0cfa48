import { describe, expect, test } from '@jest/globals';
import { useOneTenant } from './support/app.ts';
import { usePackage } from './support/package.ts';

const service = usePackage();
const tenant = useOneTenant(service);

describe('an unsupported method', () => {
  test.each([
    ['PATCH', '/v1/positions/1', 'Send PUT: it changes only the fields that are sent.'],
    ['DELETE', '/v1/events', 'To delete one row, send DELETE to /v1/events/{uuid}.'],
    ['PATCH', '/v1/events', 'To change one row, send PUT to /v1/events/{uuid}.'],
    ['POST', '/v1/positions/1', 'To create one, send POST to /v1/positions.'],
    ['GET', '/v1/auth/login', 'but POST (log in).'],
    [
      'PUT',
      '/v1/events',
      'but GET (list events with their call times, active shifts and custom fields), POST (create an event).',
    ],
  ] as const)('%s %s is told what to send instead', async (method, url, hint) => {
    const { body } = await service.call(method, url, { as: tenant.as.admin });
    expect(body.message).toContain(`This address does not support ${method}, but `);
    expect(body.message).toContain(hint);
  });
});

describe('a body', () => {
  test('may be missing on a DELETE that names JSON', async () => {
    const token = await service.tokenOf(tenant.admin);
    const { status } = await service.call('DELETE', '/v1/tokens/personal', {
      as: token,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(200);
  });
});

describe('headers', () => {
  test('every answer has a request id', async () => {
    const [first, second] = [await service.call('GET', '/nope'), await service.call('GET', '/healthz')];
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });
});

describe('pages', () => {
  test('/ is a page for a browser and JSON for an API client', async () => {
    const page = await service.call('GET', '/', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const { body } = await service.call('GET', '/', { headers: { accept: 'application/json' } });
    expect(body).toMatchObject({ service: 'Callboard', docs: '/docs', graphql: '/graphql', health: '/healthz' });
  });

  test('/healthz, /readyz and the documents need no credential', async () => {
    for (const url of ['/healthz', '/readyz', '/openapi.json', '/docs', '/graphql/schema.graphql'])
      expect([url, (await service.call('GET', url)).status]).toEqual([url, 200]);
  });
});
