import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { ApiKeyResolver } from './graphql/api-keys.ts';
import { AuditEntryResolver } from './graphql/audit-entries.ts';
import { ConflictResolver } from './graphql/conflicts.ts';
import { CallTimeCoverageResolver, CoverageResolver, EventCoverageResolver } from './graphql/coverage.ts';
import { CallTimeFields } from './graphql/call-times-fields.ts';
import { CallTimeResolver } from './graphql/call-times.ts';
import { CustomFieldDefinitionResolver } from './graphql/custom-field-definitions.ts';
import { CustomFieldValueResolver } from './graphql/custom-field-values.ts';
import { EventCopyResolver } from './graphql/events-copy.ts';
import { EventFields } from './graphql/events-fields.ts';
import { EventResolver } from './graphql/events.ts';
import { CallTimeLabourCostResolver, EventLabourCostResolver, LabourCostResolver } from './graphql/labour-cost.ts';
import { RateLimitResolver } from './graphql/rate-limit.ts';
import { PositionResolver } from './graphql/positions.ts';
import { SkillLevelResolver } from './graphql/skill-levels.ts';
import { timesResolvers } from './graphql/zoned-times.ts';
import { TokenResolver } from './graphql/tokens.ts';
import { UserFields } from './graphql/users-fields.ts';
import { UserResolver } from './graphql/users.ts';
import { WorkShiftFields } from './graphql/work-shifts-fields.ts';
import { WorkShiftResolver } from './graphql/work-shifts.ts';
import { buildSchema, type ResolverClass } from './graphql/schema.ts';
import { earlierEventRoutes } from './rest/events-earlier.ts';
import { eventRoutes } from './rest/events.ts';
import type { AddRoutes } from './rest/routes.ts';
import { tokenRoutes } from './rest/tokens.ts';
import { userRoutes } from './rest/users.ts';
import { workShiftRoutes } from './rest/work-shifts.ts';

/* The nouns that callers reach: the only list of routes and resolvers. app.ts hands it to REST and GraphQL. */

/** Routes in the order in which the reference shows them. */
export const routes: readonly AddRoutes[] = [tokenRoutes, eventRoutes, earlierEventRoutes, workShiftRoutes, userRoutes];

const resolvers: readonly ResolverClass[] = [
  EventResolver,
  EventFields,
  CallTimeFields,
  WorkShiftFields,
  UserFields,
  ...timesResolvers,
  CallTimeResolver,
  WorkShiftResolver,
  TokenResolver,
  ApiKeyResolver,
  AuditEntryResolver,
  UserResolver,
  PositionResolver,
  SkillLevelResolver,
  CustomFieldDefinitionResolver,
  CustomFieldValueResolver,
  EventCopyResolver,
  RateLimitResolver,
  CoverageResolver,
  EventCoverageResolver,
  CallTimeCoverageResolver,
  LabourCostResolver,
  EventLabourCostResolver,
  CallTimeLabourCostResolver,
  ConflictResolver,
];

export function createSchema(): GraphQLSchema {
  return buildSchema(resolvers);
}
