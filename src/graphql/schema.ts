import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { ApiKeyResolver } from './api-keys.ts';
import { AuditEntryResolver } from './audit-entries.ts';
import { ConflictResolver } from './conflicts.ts';
import { CallTimeCoverageResolver, CoverageResolver, EventCoverageResolver } from './coverage.ts';
import { CallTimeFields } from './call-times-fields.ts';
import { CallTimeResolver } from './call-times.ts';
import { renewLoadersBefore } from './context.ts';
import { CustomFieldDefinitionResolver } from './custom-field-definitions.ts';
import { CustomFieldValueResolver } from './custom-field-values.ts';
import { EventCopyResolver } from './events-copy.ts';
import { EventFields } from './events-fields.ts';
import { EventResolver } from './events.ts';
import { CallTimeLabourCostResolver, EventLabourCostResolver, LabourCostResolver } from './labour-cost.ts';
import { RateLimitResolver } from './rate-limit.ts';
import { PositionResolver } from './positions.ts';
import { SkillLevelResolver } from './skill-levels.ts';
import { timesResolvers } from './zoned-times.ts';
import { TokenResolver } from './tokens.ts';
import { UserFields } from './users-fields.ts';
import { UserResolver } from './users.ts';
import { WorkShiftFields } from './work-shifts-fields.ts';
import { WorkShiftResolver } from './work-shifts.ts';

/** Input is validated by the services, which serve REST too, so type-graphql's own validation is off. */
export function createSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [
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
    ],
    validate: false,
    // Apollo checks the schema as well.
    skipCheck: true,
  });
  // type-graphql has no way to describe the root types.
  Object.assign(schema.getQueryType() ?? {}, { description: 'All reads.' });
  Object.assign(schema.getMutationType() ?? {}, {
    description:
      'All changes. The fields of a request run one after the other; a failure does not undo the fields before it.',
  });
  renewLoadersBefore(Object.values(schema.getMutationType()?.getFields() ?? {}));
  return schema;
}
