import 'reflect-metadata';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { buildSchema } from 'type-graphql';
import { PrismaClient } from '../../../src/generated/prisma/client.ts';
import { countStatements, serveCommands } from './child.ts';
import { NaiveResolvers } from './naive-schema.ts';

/*
 * What a user would write with the same packages: the rows of `include`, every library as it comes. PostgreSQL's JIT is off as
 * for everybody here, which a user would have to find out: with it, this takes ten times as long.
 */
const counts = countStatements(pg.Client as never);
const connection = { connectionString: process.env['DATABASE_URL'] ?? '', options: '-c jit=off' };
const prisma = new PrismaClient({ adapter: new PrismaPg(connection) });
const server = new ApolloServer<{ prisma: PrismaClient }>({ schema: await buildSchema({ resolvers: NaiveResolvers }) });
const { url } = await startStandaloneServer(server, {
  context: async () => {
    counts.requests++;
    return { prisma };
  },
  listen: { host: '127.0.0.1', port: 0 },
});
serveCommands(Number(new URL(url).port), { counts: () => counts });
