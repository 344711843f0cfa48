import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { CallTime } from '../model/call-times.ts';
import { Event } from '../model/events.ts';
import { Position } from '../model/positions.ts';
import { SkillLevel } from '../model/skill-levels.ts';
import { WorkShiftConnection, WorkShiftPageArgs } from '../model/work-shifts-connection.ts';
import { WorkShift } from '../model/work-shifts.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { omitNullishDeep } from './omit-undefined.ts';
import { positionOf } from './positions-fields.ts';
import type { RowFor } from './selection.ts';
import type { SkillLevelOfRow } from './skill-levels-fields.ts';

const bound = `Null, with an error, if there are more than ${limits.nestedListMax}: use the connection of the same name to page through them.`;

@Resolver(() => CallTime)
export class CallTimeFields {
  @FieldResolver(() => [WorkShift], {
    nullable: true,
    description: `Active work shifts that fill the call time, by start; staff see only their own. ${bound}`,
  })
  workShifts(@Root() { id }: RowFor<'CallTime', 'workShifts'>, @Ctx() { loaders }: Context) {
    return loaders.workShiftsByCallTimeId.load(id);
  }

  @FieldResolver(() => WorkShiftConnection, {
    description:
      'Work shifts that fill the call time, by start, one page at a time, by page number or by cursor; staff see only their own.',
  })
  async workShiftsConnection(
    @Root() { id }: RowFor<'CallTime', 'workShiftsConnection'>,
    @Ctx() { loaders }: Context,
    @Args(() => WorkShiftPageArgs) args: WorkShiftPageArgs,
  ) {
    return toConnection(await loaders.workShiftPagesByCallTimeId(omitNullishDeep(args)).load(id));
  }

  @FieldResolver(() => Position, { description: 'Position of the people that the call time needs.' })
  position(@Root() row: RowFor<'CallTime', 'position'>) {
    return positionOf(row);
  }

  @FieldResolver(() => SkillLevel, { nullable: true, description: 'Skill level asked for; null for none.' })
  skillLevel(@Root() { skillLevelId }: RowFor<'CallTime', 'skillLevel'>): SkillLevelOfRow | null {
    return skillLevelId === null ? null : { id: skillLevelId };
  }

  @FieldResolver(() => Event, { nullable: true, description: 'Event that the call time belongs to.' })
  event(@Root() { eventId }: RowFor<'CallTime', 'event'>, @Ctx() { loaders }: Context) {
    return loaders.eventById.load(eventId);
  }
}
