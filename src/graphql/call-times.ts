import { Arg, Args, Ctx, Mutation, Query, Resolver, InputType } from 'type-graphql';
import { CallTime } from '../model/call-times.ts';
import { CallTimePayload, CallTimesPayload } from '../model/payloads.ts';
import { changeMany, callTimeChange, changeManyInput } from '../services/call-times-change-many.ts';
import * as callTimes from '../services/call-times.ts';
import { CallTimeConnection } from '../model/call-times-connection.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { readArgs, readInput } from './inputs.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { MayClash } from './payloads.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';
import { innerInputs } from './inner-inputs.ts';
import { CallTimeListArgs } from './lists-by-start.ts';
import Type from 'typebox';
import { callTimeChanges, callTimeInput } from '../services/call-times-input.ts';

@InputType({ description: 'A new call time of an event: how many people of a position it needs, and when.' })
class CreateCallTimeInput extends inputFrom(Type.Omit(callTimeInput, ['eventUuid']), innerInputs) {}

@InputType({
  description:
    'Changes to a call time: only the given fields change. Shifts on it keep their own times, and follow its pay rate unless they have their own. Those in its position that have not ended follow it to another one, judged as assignments, and are to be confirmed anew.',
})
class UpdateCallTimeInput extends inputFrom(callTimeChanges, innerInputs) {}

@InputType({ description: 'One of several changes of call times: a new one, other fields of one, or a deletion.' })
class CallTimeChangeInput extends inputFrom(callTimeChange, innerInputs) {}

@InputType({ description: 'Changes of call times of one event, which are made together or not at all.' })
class ChangeCallTimesInput extends inputFrom(changeManyInput, { ...innerInputs, changes: CallTimeChangeInput }) {}

@Resolver(() => CallTime)
export class CallTimeResolver {
  @Query(() => CallTime, {
    nullable: true,
    description: 'One call time of an event that the caller may see; null, with an error, if there is none.',
  })
  callTime(@Ctx() { scope }: Context, @RowId('CallTime') uuid: string) {
    return callTimes.get(scope, { uuid });
  }

  @Query(() => CallTimeConnection, {
    nullable: true,
    description:
      'Call times of the events that the caller may see, by start, one page at a time. Those of deleted events are left out, unless the filter names the event.',
  })
  async callTimes(@Ctx() { scope }: Context, @Args(() => CallTimeListArgs) args: CallTimeListArgs) {
    return toConnection(await callTimes.list(scope, readArgs(args)));
  }

  @Mutation(() => CallTime, {
    nullable: true,
    description:
      'Adds a call time to an ACTIVE or DRAFT event. One on another day than the event, which it does not touch, is refused with code CLASH, unless an override gives a reason. For admins.',
  })
  createCallTime(
    @Ctx() { scope }: Context,
    @RowId('Event', { name: 'eventId' }) eventUuid: string,
    @Arg('input', () => CreateCallTimeInput, { description: 'The new call time.' }) input: CreateCallTimeInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return callTimes.create(withKeyArgument(scope, key), { ...readInput(input), eventUuid });
  }

  @Mutation(() => CallTimePayload, {
    nullable: true,
    description:
      'Changes a call time: only the given fields. Its shifts keep their own times. A `staffNeeded` below the number of active shifts is refused with code CLASH and the clash OVERFILLED, unless `allowOverfill` is true. One that comes to lie on another day than the event is refused with OUTSIDE_EVENT, unless an override gives a reason. For admins.',
  })
  @MayClash()
  updateCallTime(
    @Ctx() { scope }: Context,
    @RowId('CallTime') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => UpdateCallTimeInput, { description: 'The changes.' }) input: UpdateCallTimeInput,
  ) {
    return callTimes.update(scope, { ...readInput(input), uuid, ...expectVersion(version) });
  }

  @Mutation(() => CallTimesPayload, {
    nullable: true,
    description:
      'Adds, changes and deletes call times of one event, all or none. Each change follows the rules of `createCallTime`, `updateCallTime` or `deleteCallTime`; a refusal names all that stand against it, as `changes.0`. Costs 1 + rows / 25, rounded down, of the rate limit. For admins.',
  })
  @MayClash()
  changeCallTimes(
    @Ctx() { scope }: Context,
    @Arg('input', () => ChangeCallTimesInput, { description: 'The changes.' }) input: ChangeCallTimesInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return changeMany(withKeyArgument(scope, key), readInput(input));
  }

  @Mutation(() => CallTime, {
    nullable: true,
    description:
      'Deletes a call time permanently and returns its last state. Refused with code CONFLICT while it has active shifts; canceled and deleted ones stay, without a call time. For admins.',
  })
  deleteCallTime(
    @Ctx() { scope }: Context,
    @RowId('CallTime') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return callTimes.remove(scope, { uuid, ...expectVersion(version) });
  }
}
