import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { EventConnection } from '../model/events.ts';
import { WorkShiftConnection } from '../model/nested-lists.ts';
import { OwnEventsArgs, OwnShiftsArgs } from '../model/own-args.ts';
import * as own from '../services/own.ts';
import { lazyConnectionOf } from './connection.ts';
import type { Context } from './context.ts';
import { given } from './omit-undefined.ts';

@Resolver()
export class OwnResolver {
  @Query(() => WorkShiftConnection, {
    description: "The calling staff member's own shifts at active and canceled events, by start, a page at a time.",
  })
  async myShifts(@Ctx() { scope }: Context, @Args(() => OwnShiftsArgs) args: OwnShiftsArgs) {
    return lazyConnectionOf(await own.shifts(scope, given(args)));
  }

  @Query(() => EventConnection, {
    description: "The calling client's own active and canceled events, by start, a page at a time.",
  })
  async myEvents(@Ctx() { scope }: Context, @Args(() => OwnEventsArgs) args: OwnEventsArgs) {
    return lazyConnectionOf(await own.events(scope, given(args)));
  }
}
