import { createRequire } from 'node:module';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/* What the dashboards of `test/clients` are built of, and the events that they show. */

const folder = fileURLToPath(new URL('../clients/', import.meta.url));
const require = createRequire(new URL('../clients/package.json', import.meta.url));

interface Babel {
  transformAsync(code: string, options: object): Promise<{ code: string } | null>;
}

/** Bundles the program on Relay, whose documents Babel's plugin replaces by what `relay-compiler` has made of them. */
export async function bundleRelay(): Promise<void> {
  const babel = require('@babel/core') as Babel;
  const artifactDirectory = join(folder, 'generated/relay');
  const options = {
    cwd: folder,
    plugins: [['relay', { artifactDirectory, eagerEsModules: true }]],
    parserOpts: { plugins: ['typescript'] },
    configFile: false,
    babelrc: false,
  };
  const relay = {
    name: 'relay',
    transform: {
      filter: { code: 'graphql`' },
      handler: (code: string, filename: string) => babel.transformAsync(code, { ...options, filename }),
    },
  };
  const bundle = await rolldown({ cwd: folder, input: 'relay/main.ts', platform: 'node', plugins: [relay] });
  await bundle.write({ file: join(folder, 'generated/js/relay/main.js'), format: 'esm' });
  await bundle.close();
}

/** The compiled programs once more, with libraries that are left to their defaults. */
export async function copyWithoutSettings(): Promise<void> {
  await cp(join(folder, 'generated/js'), join(folder, 'generated/bare'), { recursive: true });
  const empty = (names: string[]) => names.map((name) => `export const ${name} = {};\n`).join('');
  await writeFile(join(folder, 'generated/bare/settings/apollo.js'), empty(['possibleTypes', 'typePolicies']));
  const graphcache = empty(['keys', 'possibleTypes', 'resolvers', 'updates']);
  await writeFile(join(folder, 'generated/bare/settings/graphcache.js'), graphcache);
}

/** Sends a query or mutation, and gives its data. */
export type Ask = <Data>(query: string, variables?: object) => Promise<Data>;

/** Creates an active event that needs one person on its first call time and three on the other. */
export async function createStaffedEvent(ask: Ask): Promise<string> {
  const times = { startTime: '2027-10-02 18:00:00', endTime: '2027-10-03 00:30:00' };
  const { positions } = await ask<{ positions: { id: string }[] }>('{ positions { id } }');
  const { createEvent } = await ask<{ createEvent: { id: string } }>(
    'mutation ($input: CreateEventInput!) { createEvent(input: $input) { id } }',
    { input: { title: 'Harvest dinner', timezone: 'America/Chicago', ...times } },
  );
  for (const staffNeeded of [1, 3])
    await ask(
      'mutation ($id: ID!, $input: CreateCallTimeInput!) { createCallTime(eventId: $id, input: $input) { id } }',
      { id: createEvent.id, input: { positionId: positions[0]?.id, staffNeeded, ...times } },
    );
  return createEvent.id;
}

/** Ids of all active events, by start, read by page number. */
export async function readActiveEvents(ask: Ask): Promise<string[]> {
  const { events } = await ask<{ events: { nodes: { id: string }[]; pageInfo: { lastPage: number } } }>(
    '{ events(filter: { statuses: [ACTIVE] }, sort: { by: START }, perPage: 100) { nodes { id } pageInfo { lastPage } } }',
  );
  if (events.pageInfo.lastPage !== 1) throw new Error('There is more than one page of active events.');
  return events.nodes.map(({ id }) => id);
}
