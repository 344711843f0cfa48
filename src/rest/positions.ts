import Type, { type TSchema } from 'typebox';
import type { PositionRow } from '../db/positions.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import { positions } from '../services/positions.ts';
import { nullable, oneOf } from '../validation/schemas.ts';
import { catalogRoutes } from './catalogs.ts';
import { decimalSchema, textSchema, versionSchema } from './formats.ts';
import { viewOf } from './views.ts';

const rate = decimalSchema('USD per `pay_unit`, for call times and shifts without a rate of their own.');

const fieldsWith = <S extends TSchema>(rateSchema: S) => ({
  id: Type.Integer({ description: 'Position id.' }),
  title: textSchema('Title, unique in the business.'),
  default_pay_rate: rateSchema,
  pay_unit: oneOf(Object.values(PayUnit), 'Unit of the rate.'),
  version: versionSchema,
});

/** A position as everybody sees it among what has changed: its rate is null for callers who may not see it. */
export const ChangedPosition = viewOf<PositionRow>('ChangedPosition')(fieldsWith(nullable(rate)));

export const positionRoutes = catalogRoutes({
  operations: positions,
  view: viewOf<PositionRow>('Position')(fieldsWith(rate)),
  update: {
    summary: 'Change a position',
    description:
      'Changes only the fields sent. A new rate or unit applies to every call time and shift without a rate of its own that starts from now on; what has started keeps the former one.',
  },
});
