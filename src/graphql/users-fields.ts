import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { Availability } from '../model/availability.ts';
import { UserQualification } from '../model/user-qualifications.ts';
import { User } from '../model/users.ts';
import { WorkShiftConnection } from '../model/work-shifts-connection.ts';
import { WorkShift } from '../model/work-shifts.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { WorkShiftPageArgs } from './lists-by-start.ts';

const bound = `Null, with an error, if there are more than ${limits.wholeListMax}: use the connection of the same name to page through them.`;

@Resolver(() => User)
export class UserFields {
  @FieldResolver(() => Boolean, {
    nullable: true,
    description:
      'Whether the user can log in. One who has no password yet sets it by an invitation: see `inviteUser`. Null unless the caller is an admin.',
  })
  async canLogIn(@Root() { id }: User, @Ctx() { loaders }: Context) {
    return (await loaders.logInByUserId.load(id))?.canLogIn ?? null;
  }

  @FieldResolver(() => [UserQualification], {
    nullable: true,
    description:
      'What the person holds, what ends last first. Null unless the caller is an admin or reads their own account.',
  })
  qualifications(@Root() { id }: User, @Ctx() { loaders }: Context) {
    return loaders.qualificationsByUserId.load(id);
  }

  @FieldResolver(() => Availability, {
    nullable: true,
    description:
      'What the staff member has said of when they can work. Null for others, and unless the caller is an admin or the person.',
  })
  availability(@Root() { id, role }: User, @Ctx() { loaders }: Context) {
    return role === 'staff' ? loaders.availabilityByUserId.load(id) : null;
  }

  @FieldResolver(() => [WorkShift], {
    nullable: true,
    description: `Active work shifts of the user, by start, except those of deleted events. ${bound}`,
  })
  shifts(@Root() { id }: User, @Ctx() { loaders }: Context) {
    return loaders.workShiftsByUserId.load(id);
  }

  @FieldResolver(() => WorkShiftConnection, {
    description:
      'Work shifts of the user, by start, except those of deleted events, one page at a time, by page number or by cursor.',
  })
  async shiftsConnection(
    @Root() { id }: User,
    @Ctx() { loaders }: Context,
    @Args(() => WorkShiftPageArgs) args: WorkShiftPageArgs,
  ) {
    return toConnection(await loaders.workShiftPagesByUserId(readArgs(args)).load(id));
  }
}
