import { Args, Ctx, Query, Resolver, ArgsType } from 'type-graphql';
import { AuditEntryConnection } from '../model/audit-entries.ts';
import * as auditEntries from '../services/audit-entries.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { filteredPage } from '../model/page-args.ts';

@ArgsType()
class AuditEntryListArgs extends filteredPage('AuditEntryFilter', auditEntries.auditFilter, 'audit entries') {}

@Resolver()
export class AuditEntryResolver {
  @Query(() => AuditEntryConnection, {
    nullable: true,
    description:
      'The audit trail of the business, newest first: log-ins, changes of users, passwords, tokens, API keys and webhooks, and refused calls. For admins, not with an API key.',
  })
  async auditEntries(@Ctx() { scope }: Context, @Args(() => AuditEntryListArgs) args: AuditEntryListArgs) {
    return toConnection(await auditEntries.list(scope, readArgs(args)));
  }
}
