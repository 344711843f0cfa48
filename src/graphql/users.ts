import { Arg, Args, Ctx, Mutation, Query, Resolver, ArgsType, InputType } from 'type-graphql';
import { Revocation } from '../model/api-keys.ts';
import { CreateUserResult } from '../model/clashes.ts';
import { LeaverEvents, LeaverShifts } from '../model/enums.ts';
import { User, UserConnection } from '../model/users.ts';
import * as passwords from '../services/passwords.ts';
import { createMany } from '../services/users-create-many.ts';
import * as users from '../services/users.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { readArgs, readInput } from './inputs.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { RateLimited } from './rate-limited.ts';
import { atMostNamed, resultForEach, refusalOf } from './refusals.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';
import { pageWith } from '../model/page-args.ts';

@InputType({ description: 'A new user.' })
class CreateUserInput extends inputFrom(users.createUserRow) {}

@InputType({ description: 'Changes to a user: only the given fields change.' })
class UpdateUserInput extends inputFrom(users.userChanges) {}

@InputType({ description: 'A change of your own password.' })
class ChangePasswordInput extends inputFrom(passwords.passwordChange) {}

@ArgsType()
class StaffListArgs extends pageWith(users.staffFilter.properties) {}

@ArgsType()
class UserListArgs extends pageWith(users.userFilter.properties) {}

@Resolver(() => User)
export class UserResolver {
  @Query(() => UserConnection, {
    nullable: true,
    description: 'The users of the business, by id, one page at a time, by page number or by cursor. For admins.',
  })
  async users(@Ctx() { scope }: Context, @Args(() => UserListArgs) args: UserListArgs) {
    return toConnection(await users.list(scope, readArgs(args)));
  }

  @Query(() => UserConnection, {
    nullable: true,
    description:
      'Staff members by id, to assign them: found by text, by position, and free for a call time. For admins.',
  })
  async staff(@Ctx() { scope }: Context, @Args(() => StaffListArgs) args: StaffListArgs) {
    return toConnection(await users.listStaff(scope, readArgs(args)));
  }

  @Query(() => User, {
    nullable: true,
    description: 'One user of the business; null, with an error, if there is no such user. For admins.',
  })
  user(@Ctx() { scope }: Context, @RowId('User') id: number) {
    return users.get(scope, { id });
  }

  @Mutation(() => User, { nullable: true, description: 'Creates a user. For admins; an API key cannot create admins.' })
  createUser(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreateUserInput, { description: 'The new user.' }) input: CreateUserInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    // The service asks for a password.
    return users.create(withKeyArgument(scope, key), readInput<object>(input) as Parameters<typeof users.create>[1]);
  }

  @Mutation(() => [CreateUserResult], {
    nullable: true,
    description: `Creates several users. ${resultForEach} For admins; an API key cannot create admins.`,
  })
  async createUsers(
    @Ctx() { scope, log }: Context,
    @Arg('inputs', () => [CreateUserInput], { description: atMostNamed })
    inputs: CreateUserInput[],
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    const outcomes = await createMany(withKeyArgument(scope, key), { inputs: inputs.map(readInput) });
    return outcomes.map((outcome) =>
      'user' in outcome
        ? { user: outcome.user, error: null }
        : { user: null, error: refusalOf(outcome.failure, log).error },
    );
  }

  @Mutation(() => User, {
    nullable: true,
    description: 'Changes a user: only the given fields. For admins; an API key cannot change admins.',
  })
  updateUser(
    @Ctx() { scope }: Context,
    @RowId('User') id: number,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => UpdateUserInput, { description: 'The changes.' }) input: UpdateUserInput,
  ) {
    return users.update(scope, { ...readInput(input), id, ...expectVersion(version) });
  }

  @Mutation(() => User, {
    nullable: true,
    description:
      'Deletes a user and returns their last state. Revokes their tokens at once; their shifts keep their name. Refused with code CONFLICT and the numbers in `inUse` while they have active shifts that have not ended, or events to come as a client, unless `shifts` and `events` say what becomes of them. The last admin cannot be deleted. For admins; an API key cannot delete admins.',
  })
  deleteUser(
    @Ctx() { scope }: Context,
    @RowId('User') id: number,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('shifts', () => LeaverShifts, {
      nullable: true,
      description: 'CANCEL: active shifts of the user that have not ended are canceled with the deletion.',
    })
    shifts: 'cancel' | null,
    @Arg('events', () => LeaverEvents, {
      nullable: true,
      description: 'KEEP: events to come keep the user as their client.',
    })
    events: 'keep' | null,
  ) {
    return users.remove(scope, { id, ...readArgs({ shifts, events }), ...expectVersion(version) });
  }

  @Mutation(() => Revocation, {
    nullable: true,
    description:
      'Changes your own password and revokes your other personal access tokens; the one used in the call stays valid. For every role, not with an API key.',
  })
  @RateLimited(passwords.change)
  async changePassword(
    @Ctx() { scope }: Context,
    @Arg('input', () => ChangePasswordInput, { description: 'Both passwords.' })
    { current, next }: ChangePasswordInput,
  ) {
    return { revoked: await passwords.change(scope, { current, next }) };
  }

  @Mutation(() => Revocation, {
    nullable: true,
    description:
      "Sets a new password for another user and revokes all their personal access tokens. For admins; an API key cannot reset an admin's password.",
  })
  @RateLimited(passwords.reset)
  async resetPassword(
    @Ctx() { scope }: Context,
    @RowId('User', { name: 'userId' }) userId: number,
    @Arg('password', () => String, { description: 'The new password, with the same rules as for a new user.' })
    password: string,
  ) {
    return { revoked: await passwords.reset(scope, { userId, password }) };
  }
}
