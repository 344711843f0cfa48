import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { AuditEntryConnection, AuditEntryListArgs } from '../model/audit-entries.ts';
import * as auditEntries from '../services/audit-entries.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { omitNullishDeep } from './omit-undefined.ts';

@Resolver()
export class AuditEntryResolver {
  @Query(() => AuditEntryConnection, {
    description:
      'The audit trail of the business, newest first: log-ins, changes of users, passwords, tokens and API keys, and refused calls. For admins, not with an API key.',
  })
  async auditEntries(@Ctx() { scope }: Context, @Args(() => AuditEntryListArgs) args: AuditEntryListArgs) {
    return toConnection(await auditEntries.list(scope, omitNullishDeep(args)));
  }
}
