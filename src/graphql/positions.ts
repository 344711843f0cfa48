import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { CreatePositionInput, Position, UpdatePositionInput } from '../model/positions.ts';
import * as positions from '../services/positions.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { omitUndefined } from './omit-undefined.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';

@Resolver(() => Position)
export class PositionResolver {
  @Query(() => [Position], { nullable: true, description: 'The positions of the business, by title. For admins.' })
  positions(@Ctx() { scope }: Context) {
    return positions.list(scope, {});
  }

  @Query(() => Position, {
    nullable: true,
    description: 'One position; null, with an error, if there is none. For admins.',
  })
  position(@Ctx() { scope }: Context, @RowId('Position') id: number) {
    return positions.get(scope, { id });
  }

  @Mutation(() => Position, { nullable: true, description: 'Creates a position. For admins.' })
  createPosition(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreatePositionInput, { description: 'The new position.' }) input: CreatePositionInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return positions.create(withKeyArgument(scope, key), omitUndefined(input));
  }

  @Mutation(() => Position, { nullable: true, description: 'Changes a position: only the given fields. For admins.' })
  updatePosition(
    @Ctx() { scope }: Context,
    @RowId('Position') id: number,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => UpdatePositionInput, { description: 'The changes.' }) input: UpdatePositionInput,
  ) {
    return positions.update(scope, { ...omitUndefined(input), id, ...expectVersion(version) });
  }

  @Mutation(() => Position, {
    nullable: true,
    description:
      'Deletes a position permanently and returns its last state. Refused with code CONFLICT, and counts in `extensions.inUse`, while call times or shifts of any status use it. For admins.',
  })
  deletePosition(
    @Ctx() { scope }: Context,
    @RowId('Position') id: number,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return positions.remove(scope, { id, ...expectVersion(version) });
  }
}
