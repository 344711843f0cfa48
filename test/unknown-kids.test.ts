import { expect, test } from '@jest/globals';
import { createTokens } from '../src/access/tokens.ts';
import { useService } from './support/app.ts';

/* While secrets are rotated, a process may meet a token whose secret it does not have yet. */

const written: string[] = [];

const service = useService({ env: { LOG_LEVEL: 'warn' }, logTo: { write: (line) => void written.push(line) } });

test('the log names the kid, and not once for each token', async () => {
  const { admin, business } = await service.createTenant();
  const holder = { businessId: business.id, userId: admin.id };
  const secret = 'the next secret of another process 0123456789';
  for (const kid of ['next', 'next', 'later']) {
    const { token } = createTokens([{ kid, secret }]).sign(holder, new Date());
    expect((await service.call('GET', '/v1/events', { as: token })).status).toBe(401);
  }
  for (const as of ['nonsense', 'a.b.c', await service.tokenOf(admin)]) await service.call('GET', '/v1/events', { as });
  const lines = written.map((line) => JSON.parse(line) as { kid?: string; msg: string });
  expect(lines).toEqual([expect.objectContaining({ kid: 'next', msg: expect.stringContaining('JWT_SECRETS') })]);
  expect(written.join()).not.toContain(secret);
});
