import { FieldResolver, Float, Resolver, Root, type ClassType } from 'type-graphql';
import { CallTime } from '../model/call-times.ts';
import { Event } from '../model/events.ts';
import { WorkShift } from '../model/work-shifts.ts';
import { ZonedTime } from '../model/zoned-times.ts';
import { elapsedMinutes, endOf, startOf, type ZonedPeriod } from '../time/zoned-time.ts';

/** Adds `start`, `end` and `durationMinutes` to a type with a start and an end. */
function timesOf(noun: ClassType<ZonedPeriod>, what: string) {
  @Resolver(() => noun)
  class TimesResolver {
    @FieldResolver(() => ZonedTime, { description: `Start of the ${what}.` })
    start(@Root() period: ZonedPeriod) {
      return startOf(period);
    }

    @FieldResolver(() => ZonedTime, { description: `End of the ${what}.` })
    end(@Root() period: ZonedPeriod) {
      return endOf(period);
    }

    @FieldResolver(() => Float, {
      nullable: true,
      description:
        'Minutes that pass from start to end, across clock changes too; null while either is to be determined.',
    })
    durationMinutes(@Root() period: ZonedPeriod) {
      return elapsedMinutes(period);
    }
  }
  return TimesResolver;
}

export const timesResolvers = [timesOf(Event, 'event'), timesOf(CallTime, 'call time'), timesOf(WorkShift, 'shift')];
