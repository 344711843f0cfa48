import { writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { configOf } from './config.ts';
import { embeddedTemplate, serverTemplate, serverUrl, shareRun, urlOf } from './template.ts';

/** Makes a migrated database once; every test file works on a copy of its own. */
export default async function setup(): Promise<void> {
  shareRun();
  if (serverUrl) {
    const server = new pg.Client(serverUrl);
    await server.connect();
    await server.query(`CREATE DATABASE ${serverTemplate}`);
    await server.end();
    const database = await openDatabase(configOf({ DATABASE_URL: urlOf(serverTemplate) }).db);
    await database.migrate();
    await database.close();
    return;
  }
  const pglite = await PGlite.create();
  const database = await openDatabase(configOf().db, { openPglite: async () => pglite });
  await database.migrate();
  const dump = await pglite.dumpDataDir('none');
  await writeFile(embeddedTemplate, Buffer.from(await dump.arrayBuffer()));
  await database.close();
}
