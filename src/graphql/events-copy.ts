import { Arg, Ctx, Mutation, Resolver, InputType } from 'type-graphql';
import { EventPayload } from '../model/payloads.ts';
import * as eventCopy from '../services/events-copy.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { MayClash } from './payloads.ts';
import { RowId } from './row-ids.ts';
import { inputFrom } from '../model/input-from.ts';
import Type from 'typebox';
import { innerInputs } from './inner-inputs.ts';

@InputType({ description: 'How an event is copied.' })
class CopyEventInput extends inputFrom(Type.Omit(eventCopy.copyInput, ['uuid']), innerInputs) {}

@Resolver()
export class EventCopyResolver {
  @Mutation(() => EventPayload, {
    nullable: true,
    description:
      'Copies an event, days later or earlier, with its call times and custom field values. The copy is a DRAFT. A deleted client and the identifier in an external system are left out. A time that clocks skip on the new day is refused with code VALIDATION_FAILED; clashing shifts with code CLASH and the clashes. For admins.',
  })
  @MayClash()
  copyEvent(
    @Ctx() { scope }: Context,
    @RowId('Event', { description: 'Id or uuid of the event to copy.' }) uuid: string,
    @Arg('input', () => CopyEventInput, { description: 'How it is copied.' }) input: CopyEventInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return eventCopy.copy(withKeyArgument(scope, key), { ...readArgs(input), uuid });
  }
}
