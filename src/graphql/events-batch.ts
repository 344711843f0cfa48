import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { ChangeEventResult, CreateEventResult } from '../model/clashes.ts';
import { Event } from '../model/events.ts';
import { Moved, UpsertEventPayload } from '../model/payloads.ts';
import { upsert } from '../services/events-upsert.ts';
import * as events from '../services/events.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { readInput } from './inputs.ts';
import { MayClash } from './payloads.ts';
import { atMostNamed, resultForEach, refusalOf } from './refusals.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { ChangeEventInput, CreateEventInput, UpsertEventInput } from './events-inputs.ts';

@Resolver(() => Event)
export class EventBatchResolver {
  @Mutation(() => [CreateEventResult], {
    nullable: true,
    description:
      'Creates several events with their call times and people, one after the other. Each event is stored whole or not at all, and a refused one does not affect the others. Returns one result for each. Costs 1 + rows / 25, rounded down, of the rate limit. For admins.',
  })
  async createEvents(
    @Ctx() { scope, log }: Context,
    @Arg('inputs', () => [CreateEventInput], { description: atMostNamed })
    inputs: CreateEventInput[],
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    const outcomes = await events.createMany(withKeyArgument(scope, key), { inputs: inputs.map(readInput) });
    return outcomes.map((outcome) =>
      'event' in outcome
        ? { event: outcome.event, clashes: [], error: null }
        : { event: null, ...refusalOf(outcome.failure, log) },
    );
  }

  @Mutation(() => [ChangeEventResult], {
    nullable: true,
    description: `Changes several events, such as drafts to ACTIVE, one after the other, each as by \`updateEvent\`. ${resultForEach} For admins.`,
  })
  async updateEvents(
    @Ctx() { scope, log }: Context,
    @Arg('inputs', () => [ChangeEventInput], { description: atMostNamed })
    inputs: ChangeEventInput[],
  ) {
    const outcomes = await events.updateMany(scope, {
      inputs: inputs.map(readInput).map(({ eventUuid, version, ...changes }) => ({
        ...changes,
        uuid: eventUuid,
        ...expectVersion(version),
      })),
    });
    return outcomes.map((outcome) =>
      'event' in outcome
        ? { event: outcome.event, clashes: [], error: null }
        : { event: null, ...refusalOf(outcome.failure, log) },
    );
  }

  @Mutation(() => UpsertEventPayload, {
    nullable: true,
    description:
      'Creates the event that has a resource id or, if there is one that is not deleted, changes the given fields of it. Needs unique resource ids of the business (`uniqueResourceIds`); otherwise refused with code CONFLICT. For admins.',
  })
  @MayClash()
  upsertEvent(
    @Ctx() { scope }: Context,
    @Arg('resourceId', () => String, { description: 'The resource id, compared exactly as it is given.' }) id: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('mustBeNew', () => Boolean, {
      nullable: true,
      description: 'Whether the event must be new: code PRECONDITION_FAILED if it exists. Default: false.',
    })
    mustBeNew: boolean | null | undefined,
    @Arg('input', () => UpsertEventInput, { description: 'The fields; `callTimes` are for a new event only.' })
    input: UpsertEventInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return upsert(withKeyArgument(scope, key), {
      ...readInput(input),
      id,
      ...expectVersion(version),
      ...(mustBeNew && { mustBeNew }),
    });
  }
}

@Resolver(() => UpsertEventPayload)
export class UpsertEventFields {
  @FieldResolver(() => Event, {
    nullable: true,
    description: 'The new or changed event; null, with an error of code CLASH, if clashes stand against it.',
  })
  event(@Root() { row, refusal }: UpsertEventPayload) {
    if (refusal) throw refusal;
    return row?.event;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the event is new.' })
  isNew(@Root() { row }: UpsertEventPayload) {
    return row?.isNew === true;
  }

  @FieldResolver(() => Moved, { nullable: true, description: 'What has moved with the event; null if nothing has.' })
  moved(@Root() { row }: UpsertEventPayload) {
    return row?.event.moved ?? null;
  }
}
