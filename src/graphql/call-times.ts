import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { CreateCallTimeInput, UpdateCallTimeInput } from '../model/call-times-input.ts';
import { CallTime } from '../model/call-times.ts';
import * as callTimes from '../services/call-times.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { omitUndefined } from './omit-undefined.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';

@Resolver(() => CallTime)
export class CallTimeResolver {
  @Mutation(() => CallTime, {
    nullable: true,
    description: 'Adds a call time to an ACTIVE or DRAFT event. For admins.',
  })
  createCallTime(
    @Ctx() { scope }: Context,
    @Arg('eventUuid', () => ID, { description: 'UUID of the event.' }) eventUuid: string,
    @Arg('input', () => CreateCallTimeInput, { description: 'The new call time.' }) input: CreateCallTimeInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return callTimes.create(withKeyArgument(scope, key), { ...omitUndefined(input), eventUuid });
  }

  @Mutation(() => CallTime, {
    nullable: true,
    description:
      'Changes a call time: only the given fields. Its shifts keep their own times. A `staffNeeded` below the number of active shifts is refused with code CONFLICT and the clash OVERFILLED. For admins.',
  })
  updateCallTime(
    @Ctx() { scope }: Context,
    @Arg('uuid', () => ID, { description: 'UUID of the call time.' }) uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => UpdateCallTimeInput, { description: 'The changes.' }) input: UpdateCallTimeInput,
  ) {
    return callTimes.update(scope, { ...omitUndefined(input), uuid, ...expectVersion(version) });
  }

  @Mutation(() => CallTime, {
    nullable: true,
    description:
      'Deletes a call time permanently and returns its last state. Refused with code CONFLICT while it has active shifts; canceled and deleted ones stay, without a call time. For admins.',
  })
  deleteCallTime(
    @Ctx() { scope }: Context,
    @Arg('uuid', () => ID, { description: 'UUID of the call time.' }) uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return callTimes.remove(scope, { uuid, ...expectVersion(version) });
  }
}
