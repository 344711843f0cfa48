import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { countStatements, portOf, serveCommands } from './child.ts';

/*
 * PostGraphile 5 as its documentation runs it in production, on the schema as it is: no watching, no GraphiQL, no explain, a
 * pool of ten, lists instead of connections (less work for it), JIT off as for everybody here. Run by a newer Node, from
 * the folder that `npm run bench:peers` fills.
 */
interface ConditionParts {
  sql: (texts: TemplateStringsArray, ...parts: unknown[]) => unknown;
  sqlTableAlias: unknown;
  sqlValueWithCodec: (value: unknown, codec: unknown) => unknown;
}

const require = createRequire(`${process.env['PEERS'] ?? ''}package.json`);
const counts = countStatements((require('pg') as { Client: never }).Client);
const { postgraphile } = require('postgraphile') as {
  postgraphile: (preset: object) => { createServ: (kind: unknown) => { addTo: (server: unknown) => Promise<void> } };
};
const { PostGraphileAmberPreset } = require('postgraphile/presets/amber') as { PostGraphileAmberPreset: object };
const { makePgService } = require('postgraphile/adaptors/pg') as { makePgService: (options: object) => object };
const { addPgTableCondition } = require('postgraphile/utils') as {
  addPgTableCondition: (...args: unknown[]) => object;
};
const { TYPES } = require('postgraphile/@dataplan/pg') as { TYPES: { timestamptz: unknown } };
const { grafserv } = require('postgraphile/grafserv/node') as { grafserv: unknown };

/** `condition: { startsFrom }`: it brings only equality. */
const startsFrom = addPgTableCondition(
  { schemaName: 'public', tableName: 'events' },
  'startsFrom',
  ({ getInputTypeByName }: { getInputTypeByName: (name: string) => unknown }) => ({
    type: getInputTypeByName('Datetime'),
  }),
  (value: unknown, { sql, sqlTableAlias, sqlValueWithCodec }: ConditionParts) =>
    sql`${sqlTableAlias}.starts_at >= ${sqlValueWithCodec(value, TYPES.timestamptz)}`,
);

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [startsFrom],
  // It offers an order by the first column of an index alone, which here is always the business.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [
    makePgService({
      connectionString: process.env['DATABASE_URL'],
      schemas: ['public'],
      poolConfig: { max: 10, options: '-c jit=off -c timezone=UTC' },
      pubsub: false,
    }),
  ],
  schema: { defaultBehavior: '+list -connection -insert -update -delete' },
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: { explain: false },
});
const server = createServer();
server.on('request', () => counts.requests++);
await instance.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
serveCommands(portOf(server.address()), { counts: () => counts });
