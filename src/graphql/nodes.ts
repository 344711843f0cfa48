import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root, type ClassType } from 'type-graphql';
import { mapPlainModels } from '../fields/catalogs.ts';
import type { NodeType } from '../fields/node-types.ts';
import { limits } from '../config/limits.ts';
import { invalid } from '../errors.ts';
import { ApiKey } from '../model/api-keys.ts';
import { Attendance } from '../model/attendance.ts';
import { AuditEntry } from '../model/audit-entries.ts';
import { AvailabilityException, AvailabilityPattern } from '../model/availability.ts';
import { Business } from '../model/businesses.ts';
import { CallTime } from '../model/call-times.ts';
import { plainTypes } from '../model/catalogs-plain.ts';
import { Change } from '../model/changes.ts';
import { CustomFieldDefinition } from '../model/custom-field-definitions.ts';
import { CustomFieldValue } from '../model/custom-field-values.ts';
import { Event } from '../model/events.ts';
import { Feed } from '../model/feeds.ts';
import { Node } from '../model/nodes.ts';
import { Offer, OfferRecipient } from '../model/offers.ts';
import { ShiftSwap } from '../model/swaps.ts';
import { Position } from '../model/positions.ts';
import { Screen } from '../model/screens.ts';
import { UserQualification } from '../model/user-qualifications.ts';
import { User } from '../model/users.ts';
import { WebhookMessage } from '../model/webhooks-messages.ts';
import { WebhookEndpoint } from '../model/webhooks.ts';
import { WorkShift } from '../model/work-shifts.ts';
import type { AnyNode } from '../services/nodes.ts';
import { nameByPublicId } from './api-keys.ts';
import type { Context } from './context.ts';

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'One object by its global id; null if there is none that the caller may see.',
  })
  async node(
    @Ctx() { loaders }: Context,
    @Arg('id', () => ID, { description: 'Global id, such as that of an event or a work shift.' }) id: string,
  ) {
    return showNode(await loaders.nodeByGlobalId.load(id));
  }

  @Query(() => [Node], {
    nullable: 'itemsAndList',
    description:
      'Objects by their global ids, in the order of the ids; null in place of each one that does not exist or that the caller may not see.',
  })
  async nodes(
    @Ctx() { loaders }: Context,
    @Arg('ids', () => [ID], {
      description: `Global ids, such as those of an event or a work shift, at most ${limits.namedItemsMax}.`,
    })
    ids: string[],
  ) {
    if (ids.length > limits.namedItemsMax) throw invalid({ ids: [`must have at most ${limits.namedItemsMax} items`] });
    return (await Promise.all(ids.map((id) => loaders.nodeByGlobalId.load(id)))).map(showNode);
  }
}

const classes: Readonly<Record<NodeType, ClassType>> = {
  Business,
  User,
  Event,
  CallTime,
  WorkShift,
  Attendance,
  Offer,
  OfferRecipient,
  ShiftSwap,
  Position,
  ...mapPlainModels(({ model }) => plainTypes[model]),
  AvailabilityPattern,
  AvailabilityException,
  UserQualification,
  CustomFieldDefinition,
  CustomFieldValue,
  ApiKey,
  WebhookEndpoint,
  WebhookMessage,
  Feed,
  Screen,
  AuditEntry,
};

/** The row as a field shows it whose nodes can be of any type: type-graphql tells them apart by their classes. */
function toNode(type: NodeType, row: object): object {
  return Object.assign(new classes[type](), row);
}

function showNode(node: AnyNode | null) {
  if (!node) return null;
  const { type, row } = node;
  return toNode(type, type === 'ApiKey' || type === 'Feed' ? nameByPublicId(row as { publicId: string }) : row);
}

/** A change with the row that it shows, and the type of that row. */
export interface ShownChange {
  readonly type: NodeType;
  readonly row: object | null;
}

@Resolver(() => Change)
export class ChangeFields {
  @FieldResolver()
  node(@Root() { type, row }: ShownChange) {
    return row && toNode(type, row);
  }
}
