import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { CallTimeRow } from '../fields/call-times.ts';
import { limits } from '../config/limits.ts';
import { CallTime } from '../model/call-times.ts';
import { Event } from '../model/events.ts';
import { OfferRecipient } from '../model/offers.ts';
import { plainTypes } from '../model/catalogs-plain.ts';
import { Requirement } from '../model/requirements.ts';
import { WorkShiftConnection } from '../model/work-shifts-connection.ts';
import { WorkShift } from '../model/work-shifts.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { filtered } from './events-fields.ts';
import { readArgs } from './inputs.ts';
import { WorkShiftPageArgs } from './lists-by-start.ts';

const bound = `Null, with an error, if there are more than ${limits.wholeListMax}: use the connection of the same name to page through them.`;

@Resolver(() => CallTime)
export class CallTimeFields {
  @FieldResolver(() => [WorkShift], {
    nullable: true,
    description: `Active work shifts that fill the call time, by start; staff see only their own. ${bound}`,
  })
  workShifts(@Root() { id }: CallTimeRow, @Ctx() { loaders }: Context) {
    return loaders.workShiftsByCallTimeId.load(id);
  }

  @FieldResolver(() => WorkShiftConnection, {
    description:
      'Work shifts that fill the call time, by start, one page at a time, by page number or by cursor; staff see only their own.',
  })
  async workShiftsConnection(
    @Root() { id }: CallTimeRow,
    @Ctx() { loaders }: Context,
    @Args(() => WorkShiftPageArgs) args: WorkShiftPageArgs,
  ) {
    return toConnection(await loaders.workShiftPagesByCallTimeId(readArgs(args)).load(id));
  }

  @FieldResolver(() => [OfferRecipient], {
    nullable: true,
    description: `Who was asked to work at the call time, in that order; staff see their own part. Null for clients. ${filtered('offerRecipients')}`,
  })
  offerRecipients(@Root() { id }: CallTimeRow, @Ctx() { loaders }: Context) {
    return loaders.recipientsOf.callTimeId.load(id);
  }

  @FieldResolver(() => plainTypes.SkillLevel, {
    nullable: true,
    description: 'Skill level asked for; null for none.',
  })
  skillLevel(@Root() { skillLevelId }: CallTimeRow, @Ctx() { loaders }: Context) {
    return skillLevelId === null ? null : loaders.plainRowById.SkillLevel.load(skillLevelId);
  }

  @FieldResolver(() => [Requirement], {
    description: 'The qualifications that the call time requires beside those of its position, all of them.',
  })
  requirements(@Root() { id }: CallTimeRow, @Ctx() { loaders }: Context) {
    return loaders.requirementsByCallTimeId.load(id);
  }

  @FieldResolver(() => Event, { nullable: true, description: 'Event that the call time belongs to.' })
  event(@Root() { eventId }: CallTimeRow, @Ctx() { loaders }: Context) {
    return loaders.eventById.load(eventId);
  }
}
