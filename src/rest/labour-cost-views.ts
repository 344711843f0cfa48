import Type, { type Static } from 'typebox';
import type { LabourCostRow } from '../services/labour-cost.ts';
import { decimalSchema, textSchema } from './formats.ts';

export const LabourCostView = Type.Object(
  {
    planned: decimalSchema('Cost of all active shifts that have a price, confirmed or not.'),
    confirmed: decimalSchema('The part of `planned` that belongs to confirmed shifts.'),
    open: decimalSchema('Additional cost of the people still missing on call times.'),
    unpriced_shifts: Type.Integer({
      description: 'Active shifts paid by hour or day whose start or end is to be determined. No amount has them.',
    }),
    unpriced_open: Type.Integer({
      description: 'People still missing on such call times. No amount has them.',
    }),
    currency: textSchema('Currency of the amounts (ISO 4217).'),
  },
  { title: 'LabourCost' },
);

export const serializeLabourCost = (row: LabourCostRow): Static<typeof LabourCostView> => ({
  planned: row.planned,
  confirmed: row.confirmed,
  open: row.open,
  unpriced_shifts: row.unpricedShifts,
  unpriced_open: row.unpricedOpen,
  currency: row.currency,
});
