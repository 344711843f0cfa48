import { Args, Ctx, Query, Resolver, Root, Subscription, ArgsType } from 'type-graphql';
import { mapPlainKinds } from '../fields/catalogs.ts';
import type { ChangeKind } from '../fields/change-kinds.ts';
import type { NodeType } from '../fields/node-types.ts';
import { ChangePage } from '../model/changes.ts';
import { encodeGlobalId } from '../model/global-ids.ts';
import * as changes from '../services/changes.ts';
import type { ChangedRow } from '../services/changes-entries.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { inputFrom } from '../model/input-from.ts';
import { field, inputOn } from '../model/shapes.ts';
import { limits } from '../config/limits.ts';

@ArgsType()
class ChangeArgs extends inputFrom(changes.followedChanges) {}

@ArgsType()
class ChangePageArgs extends inputOn(ChangeArgs, {
  first: field.int.orNull(
    `How many entries of the change log are read for one answer, at most ${limits.pageRows}. Default: ${limits.perPageMax}.`,
  ),
}) {}

const nodeTypes: Readonly<Record<ChangeKind, NodeType>> = {
  position: 'Position',
  ...mapPlainKinds(({ model }) => model),
  user: 'User',
  availabilityPattern: 'AvailabilityPattern',
  availabilityException: 'AvailabilityException',
  userQualification: 'UserQualification',
  customField: 'CustomFieldDefinition',
  event: 'Event',
  callTime: 'CallTime',
  workShift: 'WorkShift',
  attendance: 'Attendance',
  offerRecipient: 'OfferRecipient',
  shiftSwap: 'ShiftSwap',
};

/** A page of changes as GraphQL shows it. */
function toChangePage({ changes: entries, ...page }: changes.ChangePage) {
  return { ...page, changes: entries.map(toChange) };
}

/** The node is shown by nodes.ts. */
function toChange({ kind, op, id, uuid, row }: ChangedRow) {
  const type = nodeTypes[kind];
  const nodeId = encodeGlobalId(type, uuid ?? id);
  return { kind, op, nodeId, databaseId: id, uuid, type, row };
}

@Resolver()
export class ChangeResolver {
  @Query(() => ChangePage, {
    nullable: true,
    description:
      'What has changed since a cursor: rows as they are now, and tombstones. Without `after`, it gives the cursor of now: take it before you read everything. A cursor that has expired gets the error CURSOR_EXPIRED: read everything again.',
  })
  async changes(@Ctx() { scope }: Context, @Args(() => ChangePageArgs) args: ChangePageArgs) {
    const { first: limit, ...input } = readArgs(args);
    return toChangePage(await changes.list(scope, { ...input, ...(limit !== undefined && { limit }) }));
  }

  @Subscription(() => ChangePage, {
    name: 'changes',
    description:
      'What changes behind a cursor, page by page, each with the cursor behind it: after an interruption, subscribe again with the last `nextCursor` as `after`. Without `after`, it begins now. The first page comes at once, even if it is empty. A cursor that has expired gets the error CURSOR_EXPIRED: read everything again.',
    // type-graphql makes no instance of these arguments.
    subscribe: ({ context, args }) =>
      changes.follow((context as Context).scope, readArgs(Object.assign(new ChangeArgs(), args))),
  })
  followChanges(@Root() page: changes.ChangePage, @Args(() => ChangeArgs) _args: ChangeArgs) {
    return toChangePage(page);
  }
}
