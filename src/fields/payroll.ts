import { fieldList, shown, type ResultOf } from './field-list.ts';

/** Sums of shifts. Minutes are whole, and amounts are rounded once a shift, so that all sums are exact. */
export const payrollSums = fieldList({
  shifts: shown.integer('Active shifts.'),
  plannedMinutes: shown.integer('Minutes of the plan, as far as its times are known.'),
  plannedAmount: shown.money('Pay by the plan.'),
  unplannedShifts: shown.integer(
    'Shifts whose planned pay depends on a time that is to be determined. No planned amount has them.',
  ),
  untimedShifts: shown.integer('Shifts whose start or end is to be determined. No planned minutes have them.'),
  actualMinutes: shown.integer('Worked minutes, as far as they are known.'),
  actualAmount: shown.money('Pay by what was worked. Days and flat pay are those of the plan, and a no-show gets 0.'),
  openShifts: shown.integer('Shifts whose actual pay is not known. No actual amount has them.'),
  withoutActualMinutes: shown.integer(
    'Shifts whose worked minutes are not known, also where days or flat pay need none. No actual minutes have them.',
  ),
  approvedShifts: shown.integer('Shifts that an admin has approved.'),
  approvedMinutes: shown.integer('Minutes of the approved shifts.'),
  approvedAmount: shown.money('Pay of the approved shifts.'),
  overtimeMinutes: shown.integer.orNull(
    'Worked minutes, as far as they are known, beyond the hours that the business has set for a week, in order of start, over the whole week; null if it has set none.',
  ),
});

/** Whose shifts a row sums up: those of one person in one week, at one rate. */
export const payrollGroup = fieldList({
  userId: shown.integer('Number of the user.'),
  firstName: shown.text('First name of the person.'),
  lastName: shown.text('Last name of the person.'),
  week: shown.date('First day of the week, `YYYY-MM-DD`.'),
  payRate: shown.money('Pay rate, USD per pay unit.'),
  payUnit: shown.payUnit('Unit of the pay rate.'),
});

export type PayrollSums = ResultOf<typeof payrollSums>;
export type PayrollGroup = ResultOf<typeof payrollGroup>;
export type PayrollRow = PayrollGroup & PayrollSums;
