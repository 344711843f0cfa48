import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import type { Cast } from './support/factories.ts';

let service: TestApp;
let cast: Cast;

beforeAll(async () => {
  service = await startApp();
  cast = await service.createCast();
});

afterAll(() => service.close());

test('an admin creates an event and reads it back', async () => {
  const { status, body } = await service.call('POST', '/v1/events', {
    as: cast.as.admin,
    body: {
      title: 'Gala',
      start_time: '2026-12-31 18:00:00',
      end_time: '2027-01-01 02:00:00',
      timezone: 'Europe/London',
    },
  });
  expect(body).toMatchObject({ success: true });
  expect(status).toBe(201);
});
