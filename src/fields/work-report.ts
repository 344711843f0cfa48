import { fieldList, shown, type ResultOf } from './field-list.ts';

/** Shifts, people, hours, cost and open places of a group. */
export const workSums = fieldList({
  shifts: shown.integer('Active shifts, with or without a call time.'),
  confirmedShifts: shown.integer('Active shifts that are confirmed.'),
  people: shown.integer('People with an active shift, each counted once.'),
  plannedHours: shown.hours('Elapsed hours of the active shifts whose start and end are known.'),
  confirmedHours: shown.hours('The part of `plannedHours` that belongs to confirmed shifts.'),
  untimedShifts: shown.integer('Active shifts whose start or end is to be determined. No hours have them.'),
  plannedCost: shown.money('Cost of the active shifts that have a price.'),
  confirmedCost: shown.money('The part of `plannedCost` that belongs to confirmed shifts.'),
  unpricedShifts: shown.integer(
    'Active shifts paid by hour or day whose start or end is to be determined. They are not included in any cost.',
  ),
  canceledShifts: shown.integer('Canceled shifts, declined or not.'),
  canceledLateShifts: shown.integer(
    'Canceled shifts that were canceled at most `canceledWithinHours` before their start, or later until their end.',
  ),
  needed: shown.integer.orNull('People that the call times need; null by `STAFF`.'),
  open: shown.integer.orNull('Open places, counted for each call time separately; null by `STAFF`.'),
});

export const workFields = fieldList({
  ...workSums,
  fillRate: shown.share.orNull(
    'Filled share of the people needed, from 0 to 1; null if nobody is needed, and by `STAFF`.',
  ),
  currency: shown.currency('Currency of the costs (ISO 4217).'),
});

export type WorkSums = ResultOf<typeof workSums>;
export type WorkRow = ResultOf<typeof workFields>;
