import { rm } from 'node:fs/promises';
import pg from 'pg';
import { endProcess } from './jest/at-end.mjs';
import { databasePrefix, embeddedTemplate, serverUrl } from './template.ts';

export default async function teardown(): Promise<void> {
  await endProcess();
  await rm(embeddedTemplate, { force: true });
  if (!serverUrl) return;
  const server = new pg.Client(serverUrl);
  await server.connect();
  const { rows } = await server.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [databasePrefix],
  );
  for (const { datname } of rows) await server.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  await server.end();
}
