import Type, { type TSchema } from 'typebox';
import type { PositionRateRow, PositionRow } from '../db/positions.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import { positions } from '../services/positions.ts';
import { nullable, oneOf } from '../validation/schemas.ts';
import { catalogRoutes } from './catalogs.ts';
import { decimalSchema, textSchema, versionSchema } from './formats.ts';
import { requirementsView, serializeRequirement } from './requirements.ts';
import { titled, viewOf } from './views.ts';

const rate = decimalSchema('USD per `pay_unit`, for call times and shifts without a rate of their own.');

const unit = oneOf(Object.values(PayUnit), 'Unit of the rate.');

const billing = {
  bill_rate: nullable(
    decimalSchema(
      'What clients pay in USD per `bill_unit`; null if it is not known, and unless the caller is an admin.',
    ),
  ),
  bill_unit: oneOf(Object.values(PayUnit), 'Unit of the bill rate, if there is one.'),
};

const fieldsWith = <S extends TSchema>(rateSchema: S) => ({
  id: Type.Integer({ description: 'Position id.' }),
  title: textSchema('Title, unique in the business.'),
  default_pay_rate: rateSchema,
  pay_unit: unit,
  ...billing,
  requirements: [
    requirementsView('the position'),
    ({ requirements }: PositionRow) => requirements.map(serializeRequirement),
  ],
  version: versionSchema,
});

/** A position as everybody sees it among what has changed: its rate is null for callers who may not see it. */
export const ChangedPosition = viewOf<PositionRow>('ChangedPosition')(fieldsWith(nullable(rate)));

const RateView = titled('PositionRate', {
  starts_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When it begins, ISO 8601 with the offset of the zone of the business; null for the first one.',
      examples: ['2027-01-01T00:00:00-05:00'],
    }),
  ),
  pay_rate: rate,
  pay_unit: unit,
  ...billing,
});

const serializeRate = ({ start, payRate, payUnit, billRate, billUnit }: PositionRateRow) => ({
  starts_at: start?.iso ?? null,
  pay_rate: payRate,
  pay_unit: payUnit,
  bill_rate: billRate,
  bill_unit: billUnit,
});

const rates = Type.Array(RateView, {
  description: 'The former rates, that of today and those announced, in their order. Not in CSV.',
});

export const positionRoutes = catalogRoutes({
  operations: positions,
  view: viewOf<PositionRow>('Position')({
    ...fieldsWith(rate),
    rates: [rates, (row) => row.rates?.map(serializeRate) ?? []],
  }),
  update: {
    summary: 'Change a position',
    description:
      'Changes only the fields sent. `requirements` replace those of before, so `[]` lifts them. A new rate or unit applies to every call time and shift without a rate of its own that starts from now on; what has started keeps the former one. `announced_rates` are for work that starts on later days; one holds until the next one begins. They replace those announced before, so `[]` withdraws them, and become the `default_pay_rate` on their day. A new `bill_rate` likewise holds for work that starts from now on; the first one for all work before it as well.',
  },
});
