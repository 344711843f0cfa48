import { GraphQLCurrency } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import { PayUnit } from './enums.ts';
import { field, objectOn, objectWith } from './shapes.ts';

@ObjectType({ description: 'Sums of active shifts. The pay of a shift is rounded to cents before anything is added.' })
class PayrollSums extends objectWith({
  shifts: field.int('Active shifts.'),
  plannedMinutes: field.int('Minutes of the plan, as far as its times are known.'),
  plannedAmount: field.decimal('Pay by the plan.'),
  unplannedShifts: field.int(
    'Shifts whose planned pay depends on a time that is to be determined. No planned amount has them.',
  ),
  untimedShifts: field.int('Shifts whose start or end is to be determined. No planned minutes have them.'),
  actualMinutes: field.int('Worked minutes, as far as they are known.'),
  actualAmount: field.decimal('Pay by what was worked. Days and flat pay are those of the plan, and a no-show gets 0.'),
  openShifts: field.int('Shifts whose actual pay is not known. No actual amount has them.'),
  withoutActualMinutes: field.int(
    'Shifts whose worked minutes are not known, also where days or flat pay need none. No actual minutes have them.',
  ),
  approvedShifts: field.int('Shifts that an admin has approved.'),
  approvedMinutes: field.int('Minutes of the approved shifts.'),
  approvedAmount: field.decimal('Pay of the approved shifts.'),
  overtimeMinutes: field.int.orNull(
    'Worked minutes, as far as they are known, beyond the hours that the business has set for a week, in order of start, over the whole week; null if it has set none.',
  ),
}) {}

@ObjectType({ description: 'The shifts of one person in one week, at one rate.' })
class PayrollRow extends objectOn(PayrollSums, {
  userId: field.int('Number of the user.'),
  firstName: field.text('First name of the person.'),
  lastName: field.text('Last name of the person.'),
  week: field.text('First day of the week, `YYYY-MM-DD`.'),
  payRate: field.decimal('Pay rate, USD per pay unit.'),
  payUnit: field.of(PayUnit)('Unit of the pay rate.'),
}) {}

@ObjectType({ description: 'What people are paid in a span of days, by person, week and rate.' })
export class Payroll extends objectWith({
  total: field.of(PayrollSums)('All rows together.'),
  rows: field.of([PayrollRow])('By name of the person, week and rate.'),
  currency: field.of(GraphQLCurrency)('Currency of the amounts (ISO 4217).'),
}) {}
