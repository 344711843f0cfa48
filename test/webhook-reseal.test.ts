import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createSecretBox } from '../src/access/secret-box.ts';
import { resealSecrets } from '../src/jobs/reseal.ts';
import { useService } from './support/app.ts';

/* A key of webhook secrets can be removed once a process that delivers has started with another one in front of it. */

const [one, two] = ['one', 'two'].map((kid) => ({ kid, secret: kid.repeat(16) })) as [Key, Key];
type Key = { kid: string; secret: string };

const service = useService({ isAlone: true });

test('secrets are encrypted under the first key, those that rotation has kept too, and lost ones stay', async () => {
  const { business } = await service.createTenant();
  const earlier = createSecretBox([one]);
  const store = (secret: string, previousSecret: string | null) =>
    service.prisma.webhookEndpoint.create({
      data: {
        businessId: business.id,
        url: 'https://receiver.example',
        types: [],
        revision: 1n,
        secret,
        previousSecret,
        previousSecretExpiresAt: previousSecret === null ? null : new Date(),
      },
    });
  await store(earlier.seal('first'), earlier.seal('before'));
  await store(earlier.seal('second'), null);
  await store('gone/abc', null);
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  for (let start = 0; start < 2; start += 1)
    await resealSecrets(service.app.database, createSecretBox([two, one]), log);
  const later = createSecretBox([two]);
  const stored = await service.prisma.webhookEndpoint.findMany({ orderBy: { id: 'asc' } });
  expect(stored.map(({ secret, previousSecret }) => [later.open(secret), later.open(previousSecret ?? '')])).toEqual([
    ['first', 'before'],
    ['second', null],
    [null, null],
  ]);
  expect(stored[2]!.secret).toBe('gone/abc');
  // The second start finds nothing to do.
  expect(lines.map((line) => (JSON.parse(line) as { endpoints: number }).endpoints)).toEqual([2]);
});
