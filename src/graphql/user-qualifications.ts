import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root, ArgsType, InputType } from 'type-graphql';
import { createResults } from '../model/create-results.ts';
import { plainTypes } from '../model/catalogs-plain.ts';
import {
  ExpiringQualificationConnection,
  UserQualification,
  UserQualificationConnection,
} from '../model/user-qualifications.ts';
import { User } from '../model/users.ts';
import * as userQualifications from '../services/user-qualifications.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { readArgs, readInput } from './inputs.ts';
import { atMostNamed, resultForEach, toResults } from './refusals.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';
import { pageWith } from '../model/page-args.ts';

@InputType({ description: 'Changes to a held qualification: only the given fields change.' })
class UpdateUserQualificationInput extends inputFrom(userQualifications.userQualificationChanges) {}

@InputType({ description: 'A qualification that a staff member holds.' })
class CreateUserQualificationInput extends inputFrom(userQualifications.newUserQualification) {}

@ArgsType()
class UserQualificationListArgs extends pageWith(userQualifications.userQualificationFilter.properties) {}

@ArgsType()
class ExpiringQualificationArgs extends pageWith(userQualifications.expiringInput) {}

@Resolver(() => UserQualification)
export class UserQualificationResolver {
  @Query(() => UserQualification, {
    nullable: true,
    description:
      'One held qualification; null, with an error, if there is none that the caller may see. For admins, and for staff their own.',
  })
  userQualification(@Ctx() { scope }: Context, @RowId('UserQualification') id: number) {
    return userQualifications.get(scope, { id });
  }

  @Query(() => UserQualificationConnection, {
    nullable: true,
    description: 'What people hold, by id, one page at a time. For admins, and for staff their own.',
  })
  async userQualifications(
    @Ctx() { scope }: Context,
    @Args(() => UserQualificationListArgs) args: UserQualificationListArgs,
  ) {
    return toConnection(await userQualifications.list(scope, readArgs(args)));
  }

  @Query(() => ExpiringQualificationConnection, {
    nullable: true,
    description:
      'What staff hold that ends within some days, by its end, with the booked shifts that this endangers. What somebody has renewed without a gap is left out. For admins.',
  })
  async qualificationsExpiring(
    @Ctx() { scope }: Context,
    @Args(() => ExpiringQualificationArgs) args: ExpiringQualificationArgs,
  ) {
    return toConnection(await userQualifications.expiring(scope, readArgs(args)));
  }

  @Mutation(() => UserQualification, {
    nullable: true,
    description: 'Notes a qualification that a staff member holds. For admins.',
  })
  createUserQualification(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreateUserQualificationInput, { description: 'The held qualification.' })
    input: CreateUserQualificationInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return userQualifications.create(withKeyArgument(scope, key), readInput(input));
  }

  @Mutation(() => [createResults.userQualification], {
    nullable: true,
    description: `Notes several qualifications that staff members hold. ${resultForEach} For admins.`,
  })
  async createUserQualifications(
    @Ctx() { scope, log }: Context,
    @Arg('inputs', () => [CreateUserQualificationInput], { description: atMostNamed })
    inputs: CreateUserQualificationInput[],
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    const outcomes = await userQualifications.createMany(withKeyArgument(scope, key), {
      inputs: inputs.map(readInput),
    });
    return toResults(outcomes, log);
  }

  @Mutation(() => UserQualification, {
    nullable: true,
    description: 'Changes a held qualification: only the given fields. For admins.',
  })
  updateUserQualification(
    @Ctx() { scope }: Context,
    @RowId('UserQualification') id: number,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => UpdateUserQualificationInput, { description: 'The changes.' })
    input: UpdateUserQualificationInput,
  ) {
    return userQualifications.update(scope, { ...readInput(input), id, ...expectVersion(version) });
  }

  @Mutation(() => UserQualification, {
    nullable: true,
    description: 'Deletes a held qualification permanently and returns its last state. For admins.',
  })
  deleteUserQualification(
    @Ctx() { scope }: Context,
    @RowId('UserQualification') id: number,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return userQualifications.remove(scope, { id, ...expectVersion(version) });
  }

  @FieldResolver(() => User, { nullable: true, description: 'The person who holds it.' })
  user(@Root() { userId }: UserQualification, @Ctx() { loaders }: Context) {
    return loaders.userById.load(userId);
  }

  @FieldResolver(() => plainTypes.Qualification, { nullable: true, description: 'What they hold.' })
  qualification(@Root() { qualificationId }: UserQualification, @Ctx() { loaders }: Context) {
    return loaders.plainRowById.Qualification.load(qualificationId);
  }
}
