import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { adminRead } from '../access/permissions.ts';
import type { InputRule } from '../access/input-rules.ts';
import { attemptLimits, currency, limits } from '../config/limits.ts';
import { readBusiness } from '../db/businesses.ts';
import { readPayroll } from '../db/payroll.ts';
import { invalid } from '../errors.ts';
import type { PayrollRow, PayrollSums } from '../fields/payroll.ts';
import { closedObject, localDate, rowNumber } from '../validation/schemas.ts';
import { daysAfterMonday, inTime, offsetsOf } from './reports-input.ts';
import { businessOf } from './viewer.ts';

interface Payroll {
  readonly total: PayrollSums;
  readonly rows: readonly PayrollRow[];
  /** Currency code, ISO 4217. */
  readonly currency: string;
}

export const payrollInput = closedObject({
  from: localDate('First day, `YYYY-MM-DD` on the clocks of the business. A shift belongs to the day of its start.'),
  to: localDate('Last day, `YYYY-MM-DD`; included.'),
  userId: Type.Optional(rowNumber('Only shifts of the user with this id.')),
});

interface Days {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

function findDayFaults({ from, to }: Days): { to?: string[] } {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  if (days < 0) return { to: ['must not be before from'] };
  return days < limits.spanDaysMax ? {} : { to: [`must be less than ${limits.spanDaysMax} days after from`] };
}

const daysRule: InputRule<Days> = { over: ['from', 'to'], check: (_scope, days) => findDayFaults(days) };

/** Sums up what people work in a span of days, by person, week and rate. */
export const read = operation({
  ...adminRead,
  name: 'payroll.read',
  replica: 'snapshot',
  input: payrollInput,
  attempts: attemptLimits.report,
  rules: [daysRule],
  run: async (scope, { from, to, userId }): Promise<Payroll> => {
    const errors = findDayFaults({ from, to });
    if (errors.to) throw invalid(errors);
    const { timezone, weekStart } = businessOf(scope);
    const span = { from: new Date(Date.parse(from) - 8 * dayMs), to: new Date(Date.parse(to) + 9 * dayMs) };
    const { overtimeAfterHours } = await readBusiness(scope.db);
    const calendar = { offsets: offsetsOf(timezone, span), weekStart: daysAfterMonday(weekStart) };
    const asked = { from, to, userId, ...calendar, overtimeAfterHours };
    const [total, ...rows] = await inTime(span, readPayroll(scope.db, asked, limits.payrollRowsMax));
    if (!total) throw new Error('A payroll has a total.');
    if (rows.length > limits.payrollRowsMax)
      throw invalid({ to: [`gives more than ${limits.payrollRowsMax} rows: choose a shorter span`] });
    return { total, rows: rows as PayrollRow[], currency };
  },
});
