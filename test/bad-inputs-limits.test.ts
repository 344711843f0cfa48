import { afterEach, expect, jest, test } from '@jest/globals';
import { startApp } from './support/app.ts';

afterEach(() => void jest.restoreAllMocks());

test('when the system clock jumps, no waiting time is negative or longer than its window', async () => {
  const service = await startApp();
  const { as } = await service.createTenant('free');
  const call = () => service.call('GET', '/v1/events', { as: as.admin });
  for (let index = 0; index < 60; index++) await call();
  const now = Date.now.bind(Date);
  for (const hours of [0, 1, 48, -1, -48]) {
    jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000);
    const { headers, status } = await call();
    const [reset, wait] = [Number(headers['x-ratelimit-reset']), Number(headers['retry-after'] ?? 1)];
    expect({ hours, isWithin: reset >= 0 && reset <= 60 && wait >= 1 && wait <= 60 }).toEqual({
      hours,
      isWithin: true,
    });
    expect([200, 429]).toContain(status);
  }
  jest.restoreAllMocks();
  await service.close();
});
