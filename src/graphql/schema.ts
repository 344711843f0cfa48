import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { EventResolver } from './events.ts';
import { TokenResolver } from './tokens.ts';

/** Input is checked by the services, which serve REST as well: type-graphql's own validation stays off. */
export const createSchema = (): GraphQLSchema =>
  buildSchemaSync({ resolvers: [EventResolver, TokenResolver], validate: false });
