import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { openDatabase } from '../../src/db/engine/open-database.ts';
import { packedDatabase } from '../../src/db/engine/empty-database.ts';
import { makeEmptyDatabase } from '../../src/bin/packed-database.ts';
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
  await writeFile(embeddedTemplate, (await packedDatabase()) ?? (await makeEmptyDatabase(configOf().db)));
}
