import { fieldList, shown, type ResultOf } from './field-list.ts';

/** Sums of the cost of work, and of what clients pay for it, in USD. */
export const labourCostSums = fieldList({
  planned: shown.money('Cost of all active shifts that have a price, confirmed or not.'),
  confirmed: shown.money('The part of `planned` that belongs to confirmed shifts.'),
  open: shown.money('Additional cost of the open places of call times, by rate, pay unit and times of the call time.'),
  actual: shown.money(
    'Cost of what was worked, as far as it is known; for approved shifts, the approved pay. Days and flat pay are those of the plan, and a no-show costs 0.',
  ),
  withoutActual: shown.integer(
    'Active shifts of which is not known what was worked, such as those to come. `actual` has nothing of them.',
  ),
  plannedRevenue: shown.money(
    'What clients pay for all active shifts that have a bill rate and times: that of the call time or, without one, of the position at the start.',
  ),
  confirmedRevenue: shown.money('The part of `plannedRevenue` that belongs to confirmed shifts.'),
  actualRevenue: shown.money(
    'What clients pay for what was worked, as far as it is known; for approved shifts, as it was at the approval. Days and flat rates are those of the plan, and a no-show brings 0.',
  ),
  plannedMargin: shown.money('Revenue less cost by the plan, of the shifts of which both are known.'),
  confirmedMargin: shown.money('The part of `plannedMargin` that belongs to confirmed shifts.'),
  actualMargin: shown.money('Revenue less cost of what was worked, of the shifts of which both are known.'),
  unbilledShifts: shown.integer(
    'Active shifts whose planned revenue is not known: without a bill rate, or with a time to be determined. No revenue and no margin has them.',
  ),
  withoutActualRevenue: shown.integer(
    'Active shifts whose actual revenue is not known. `actualRevenue` and `actualMargin` have nothing of them.',
  ),
  unpricedShifts: shown.integer(
    'Active shifts paid by hour or day whose start or end is to be determined. They are not included in any amount here.',
  ),
  unpricedOpen: shown.integer('Open places of call times paid by hour or day whose start or end is to be determined.'),
});

export const labourCostFields = fieldList({
  ...labourCostSums,
  currency: shown.currency('Currency of the amounts (ISO 4217).'),
});

export type LabourCostSums = ResultOf<typeof labourCostSums>;
export type LabourCostRow = ResultOf<typeof labourCostFields>;
