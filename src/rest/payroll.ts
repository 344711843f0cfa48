import Type from 'typebox';
import type { PayrollRow, PayrollSums } from '../db/payroll.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import * as payroll from '../services/payroll.ts';
import { nullable, oneOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { decimalSchema, textSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { titled, viewOf } from './views.ts';

const count = (description: string) => Type.Integer({ description });

const sums = {
  shifts: count('Active shifts.'),
  planned_minutes: count('Minutes of the plan, as far as its times are known.'),
  planned_amount: decimalSchema('Pay by the plan.'),
  unplanned_shifts: count(
    'Shifts whose planned pay depends on a time that is to be determined. No planned amount has them.',
  ),
  untimed_shifts: count('Shifts whose start or end is to be determined. No planned minutes have them.'),
  actual_minutes: count('Worked minutes, as far as they are known.'),
  actual_amount: decimalSchema(
    'Pay by what was worked. Days and flat pay are those of the plan, and a no-show gets 0.',
  ),
  open_shifts: count('Shifts whose actual pay is not known. No actual amount has them.'),
  without_actual_minutes: count(
    'Shifts whose worked minutes are not known, also where days or flat pay need none. No actual minutes have them.',
  ),
  approved_shifts: count('Approved shifts.'),
  approved_minutes: count('Approved minutes.'),
  approved_amount: decimalSchema('Approved pay.'),
  overtime_minutes: nullable(
    count(
      'Worked minutes, as far as they are known, beyond the hours that the business has set for a week, in order of start, over the whole week; null if it has set none.',
    ),
  ),
};

const { schema: PayrollRowView, serialize: serializeRow } = viewOf<PayrollRow>('PayrollRow')({
  user_id: count('Id of the person.'),
  first_name: textSchema('First name.'),
  last_name: textSchema('Last name.'),
  week: Type.String({ format: 'date', description: 'First day of the week.' }),
  pay_rate: decimalSchema('Pay rate, USD per pay unit.'),
  pay_unit: oneOf(Object.values(PayUnit), 'Pay unit.'),
  ...sums,
});

const { schema: PayrollTotalView, serialize: serializeTotal } = viewOf<PayrollSums>('PayrollTotal')(sums);

export function payrollRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/payroll',
    calls: payroll.read,
    tag: 'Reports',
    isExtension: true,
    summary: 'Sum up the pay of people by week and rate',
    description:
      'One row for each person, week and rate, by name. The pay of a shift is rounded to cents, and a row is the sum of its shifts. A shift belongs to the week of its start on the clocks of the business. Overtime has no premium.',
    query: payroll.payrollInput,
    response: envelope(
      titled('Payroll', {
        total: PayrollTotalView,
        rows: Type.Array(PayrollRowView, { description: 'By name of the person, week and rate.' }),
        currency: textSchema('Currency of the amounts (ISO 4217).'),
      }),
    ),
    csv: {
      name: 'payroll',
      row: PayrollRowView,
      description: 'The total is left out.',
      read: async (scope, { query: { from, to, userId } }) => {
        const { rows } = await payroll.read(scope, { from, to, ...(userId !== undefined && { userId }) });
        return { rows: rows.map(serializeRow), next: null };
      },
    },
    handle: async (scope, { query }) => {
      const { total, rows, currency } = await payroll.read(scope, query);
      return answer({ total: serializeTotal(total), rows: rows.map(serializeRow), currency });
    },
  });
}
