import { Arg, Ctx, Extensions, FieldResolver, Mutation, Query, Resolver, Root, InputType } from 'type-graphql';
import { Revocation } from '../model/api-keys.ts';
import { GraphQLInstant } from '../model/instants.ts';
import { Position } from '../model/positions.ts';
import { ScreenBoard } from '../model/screens-board.ts';
import { OwnScreen, Screen, ScreenClaim, ScreenCode } from '../model/screens.ts';
import { User } from '../model/users.ts';
import * as board from '../services/screens-board.ts';
import * as screens from '../services/screens.ts';
import type { Context } from './context.ts';
import { readInput } from './inputs.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { RateLimited } from './rate-limited.ts';
import { RowId } from './row-ids.ts';
import { inputFrom } from '../model/input-from.ts';

@InputType({ description: 'The approval of the code that a browser shows.' })
class ApproveScreenInput extends inputFrom(screens.approveInput) {}

@Resolver(() => Screen)
export class ScreenResolver {
  @Query(() => [Screen], {
    nullable: true,
    description:
      'Screens of the business, oldest first: those that are in use, and those whose approval can still be claimed. For admins, not with an API key.',
  })
  screens(@Ctx() { scope }: Context) {
    return screens.list(scope, {});
  }

  @Query(() => Screen, {
    nullable: true,
    description: 'One screen; null, with an error, if there is none. For admins, not with an API key.',
  })
  screen(@Ctx() { scope }: Context, @RowId('Screen') uuid: string) {
    return screens.get(scope, { uuid });
  }

  @Mutation(() => Screen, {
    nullable: true,
    description:
      'Approves the code that a browser shows, and so lets it show the board. For admins, not with an API key.',
  })
  @RateLimited(screens.approve)
  approveScreen(
    @Ctx() { scope }: Context,
    @Arg('input', () => ApproveScreenInput, { description: 'The code, and what the screen may show.' })
    input: ApproveScreenInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return screens.approve(withKeyArgument(scope, key), readInput(input));
  }

  @Mutation(() => Screen, {
    nullable: true,
    description:
      'Revokes a screen and returns its last state. It shows nothing more from then on. For admins, not with an API key.',
  })
  revokeScreen(@Ctx() { scope }: Context, @RowId('Screen') uuid: string) {
    return screens.revoke(scope, { uuid });
  }

  @FieldResolver(() => User, { nullable: true, description: 'It shows only events of this client; null: of everyone.' })
  client(@Root() { clientId }: Screen, @Ctx() { loaders }: Context) {
    return clientId === null ? null : loaders.userById.load(clientId);
  }

  @FieldResolver(() => Position, {
    nullable: true,
    description: 'It shows only call times and shifts of this position; null: of all positions.',
  })
  position(@Root() { positionId }: Screen, @Ctx() { loaders }: Context) {
    return positionId === null ? null : loaders.positionById.load(positionId);
  }
}

@Resolver()
export class ScreenPairingResolver {
  @Mutation(() => ScreenCode, {
    nullable: true,
    description:
      'Makes a code for a browser that is to become a screen. Nothing is stored before an admin approves it. Needs no credential.',
  })
  @Extensions({ calls: screens.createCode })
  @RateLimited(screens.createCode)
  createScreenCode(@Ctx() { scope }: Context) {
    return screens.createCode(scope, {});
  }

  @Mutation(() => ScreenClaim, {
    nullable: true,
    description:
      'Exchanges the secret of an approved code for a board token, once. Call it every few seconds while it answers PENDING. Needs no credential.',
  })
  @Extensions({ calls: screens.claim })
  @RateLimited(screens.claim)
  async claimScreen(
    @Ctx() { scope }: Context,
    @Arg('secret', () => String, { description: 'The secret that came with the code.' }) secret: string,
  ) {
    return { boardToken: null, screen: null, ...(await screens.claim(scope, { secret })) };
  }
}

@Resolver()
export class OwnScreenResolver {
  @Query(() => OwnScreen, { nullable: true, description: 'The screen that calls. For screens.' })
  myScreen(@Ctx() { scope }: Context) {
    return screens.getOwn(scope, {});
  }

  @Query(() => ScreenBoard, {
    nullable: true,
    description: 'What the screen that calls shows of a span of time: the active events of its filter. For screens.',
  })
  myScreenBoard(
    @Ctx() { scope }: Context,
    @Arg('from', () => GraphQLInstant, { description: 'Start of the span; events that end later are shown.' })
    from: Date,
    @Arg('to', () => GraphQLInstant, { description: 'End of the span; events that start before it are shown.' })
    to: Date,
  ) {
    return board.read(scope, { from, to });
  }

  @Mutation(() => Revocation, {
    nullable: true,
    description: 'Revokes the board token used in the call. For screens.',
  })
  async revokeMyScreen(@Ctx() { scope }: Context) {
    return { revoked: await screens.revokeOwn(scope, {}) };
  }
}
