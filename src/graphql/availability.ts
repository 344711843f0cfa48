import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root, type ClassType, InputType } from 'type-graphql';
import { withDryRun } from '../http/dry-run.ts';
import {
  Availability,
  AvailabilityException,
  AvailabilityPattern,
  ExceptionPayload,
  PatternPayload,
} from '../model/availability.ts';
import { createResults } from '../model/create-results.ts';
import { User } from '../model/users.ts';
import * as availability from '../services/availability.ts';
import type { Context } from './context.ts';
import { DryRun } from './dry-run.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { readInput } from './inputs.ts';
import { atMostNamed, resultForEach, toResults } from './refusals.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';

@Resolver()
class AvailabilityResolver {
  @Query(() => Availability, {
    nullable: true,
    description: 'What a staff member has said of when they can work. Staff see their own, admins that of everybody.',
  })
  availability(
    @Ctx() { scope }: Context,
    @RowId('User', { name: 'staffId', description: 'Id or databaseId of the staff member, a user.' }) staffId: number,
  ) {
    return availability.get(scope, { staffId });
  }
}

interface Types {
  readonly row: ClassType;
  readonly payload: ClassType;
  readonly result: ClassType;
  /** Names of a new row in the descriptions of the inputs, and of one in the names of the inputs. */
  readonly described: string;
  readonly named: string;
}

/** Makes the resolver of one kind of what people say of their availability. */
function createResolver<Row extends { id: number; userId: number; version: number }, Sent extends object>(
  operations: availability.AvailabilityOperations<Row, Sent>,
  types: Types,
): ClassType {
  const { model, kind, noun, newRow, changes } = operations;
  const own = 'For admins, and for staff of their own.';

  @InputType(`Create${model}Input`, { description: `A new ${types.described}.` })
  class NewRow extends inputFrom(newRow) {}

  @InputType(`CreatePerson${types.named}Input`, { description: `A new ${types.described} of one of several people.` })
  class RowOfPerson extends inputFrom({
    properties: { ...newRow.properties, ...availability.personParams.properties },
  }) {}

  @InputType(`Update${model}Input`, {
    description: `Changes to ${types.named === 'Pattern' ? 'a' : 'an'} ${types.described}: only the given fields change.`,
  })
  class Changes extends inputFrom(changes) {}

  @Resolver(() => types.row)
  class RowResolver {
    @FieldResolver(() => User, { nullable: true, description: 'The staff member.' })
    user(@Root() { userId }: Row, @Ctx() { loaders }: Context) {
      return loaders.userById.load(userId);
    }

    @Query(() => types.row, {
      name: kind,
      nullable: true,
      description: `One ${noun}; null, with an error, if there is none. ${own}`,
    })
    get(@Ctx() { scope }: Context, @RowId(model) uuid: string) {
      return operations.get(scope, { uuid });
    }

    @Mutation(() => types.payload, {
      name: `create${model}`,
      nullable: true,
      description: `Creates an ${noun}. ${own}`,
    })
    create(
      @Ctx() { scope }: Context,
      @RowId('User', { name: 'staffId', description: 'Id or databaseId of the staff member, a user.' }) staffId: number,
      @Arg('input', () => NewRow, { description: `The new ${noun}.` }) input: Sent,
      @DryRun() dryRun: DryRun,
      @IdempotencyKey() key: IdempotencyKey,
    ) {
      return operations.create(withDryRun(withKeyArgument(scope, key), dryRun), {
        ...readInput(input),
        staffId,
      });
    }

    @Mutation(() => [types.result], {
      name: `create${model}s`,
      nullable: true,
      description: `Creates several ${noun}s, of one person or of many. ${resultForEach} ${own}`,
    })
    async createMany(
      @Ctx() { scope, log }: Context,
      @Arg('inputs', () => [RowOfPerson], { description: atMostNamed }) inputs: object[],
      @IdempotencyKey() key: IdempotencyKey,
    ) {
      return toResults(
        await operations.createMany(withKeyArgument(scope, key), { inputs: inputs.map(readInput) }),
        log,
      );
    }

    @Mutation(() => types.payload, {
      name: `update${model}`,
      nullable: true,
      description: `Changes an ${noun}: only the given fields. ${own}`,
    })
    update(
      @Ctx() { scope }: Context,
      @RowId(model) uuid: string,
      @ExpectedVersion() version: ExpectedVersion,
      @Arg('input', () => Changes, { description: 'The changes.' }) input: Partial<Sent>,
      @DryRun() dryRun: DryRun,
    ) {
      return operations.update(withDryRun(scope, dryRun), { ...readInput(input), uuid, ...expectVersion(version) });
    }

    @Mutation(() => types.payload, {
      name: `delete${model}`,
      nullable: true,
      description: `Deletes an ${noun}. ${own}`,
    })
    remove(
      @Ctx() { scope }: Context,
      @RowId(model) uuid: string,
      @ExpectedVersion() version: ExpectedVersion,
      @DryRun() dryRun: DryRun,
    ) {
      return operations.remove(withDryRun(scope, dryRun), { uuid, ...expectVersion(version) });
    }
  }
  return RowResolver;
}

export const availabilityResolvers = [
  AvailabilityResolver,
  createResolver(availability.patterns, {
    row: AvailabilityPattern,
    payload: PatternPayload,
    result: createResults.availabilityPattern,
    described: 'weekly window',
    named: 'Pattern',
  }),
  createResolver(availability.exceptions, {
    row: AvailabilityException,
    payload: ExceptionPayload,
    result: createResults.availabilityException,
    described: 'exception',
    named: 'Exception',
  }),
];
