import Type from 'typebox';
import { payrollGroup, payrollSums } from '../fields/payroll.ts';
import * as payroll from '../services/payroll.ts';
import { answer, envelope } from './envelopes.ts';
import { textSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { viewOfList } from './shapes.ts';
import { titled } from './views.ts';

const { schema: PayrollRowView, serialize: serializeRow } = viewOfList('PayrollRow', {
  ...payrollGroup,
  ...payrollSums,
});
const { schema: PayrollTotalView, serialize: serializeTotal } = viewOfList('PayrollTotal', payrollSums);

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
