import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { startCluster, type Cluster } from './support/cluster.ts';
import { configOf, signingSecret } from './support/config.ts';
import { createFactories, type Tenant } from './support/factories.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';

/* PostgreSQL whose tables are on a small disk. Only root can make one that another process sees, so only root runs this. */

describe('PostgreSQL on a full disk', () => {
  let cluster: Cluster;
  let disk: string;
  let service: ServiceProcess;
  let tenant: Tenant;

  beforeAll(async () => {
    cluster = await startCluster();
    disk = mkdtempSync(join(tmpdir(), 'callboard-disk-'));
    const [shown] = await cluster.query<{ data_directory: string }>('SHOW data_directory');
    const { uid, gid } = statSync(shown!.data_directory);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=64m,mode=0700,uid=${uid},gid=${gid}`, 'tmpfs', disk]);
    await cluster.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
    await cluster.query('GRANT CREATE ON TABLESPACE small TO callboard');
    await cluster.query(`ALTER ROLE callboard SET default_tablespace = small`);
    await cluster.query(`ALTER ROLE callboard SET temp_tablespaces = small`);
    const config = configOf({ DATABASE_URL: cluster.url });
    const database = await openDatabase(config.db);
    await database.migrate();
    tenant = await createFactories(database.prisma, config, () => new Date()).createTenant();
    await database.close();
    service = await startProcess({ DATABASE_URL: cluster.url, JWT_SECRETS: `test:${signingSecret}` });
  });

  afterAll(async () => {
    stopAll();
    await cluster?.close();
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${service.origin}${path}`, {
      headers: { authorization: `Bearer ${tenant.as.key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { ...((await answer.json()) as { code?: string; message?: string }), status: answer.status };
  };
  const create = (more: object = {}) => {
    const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };
    return ask('/v1/events', { title: 'On a small disk', ...times, ...more });
  };

  test('refuses writes with the cause, says so at /readyz, and recovers by itself once there is room', async () => {
    expect((await create()).status).toBe(201);
    expect((await ask('/readyz')).status).toBe(200);
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(bavail * bsize - 500_000));
    let refused = await create();
    for (let tries = 0; tries < 200 && refused.status === 201; tries++)
      refused = await create({ description: randomBytes(9000).toString('base64') });
    expect(refused).toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/disk .* is full/),
    });
    for (const _ of [1, 2])
      expect(await ask('/readyz')).toMatchObject({ status: 503, message: expect.stringMatching(/disk .* is full/) });
    expect((await ask('/v1/events?per_page=1')).status).toBe(200);

    rmSync(join(disk, 'ballast'));
    while ((await ask('/readyz')).status !== 200) await wait(100);
    expect((await create()).status).toBe(201);
  });
});
