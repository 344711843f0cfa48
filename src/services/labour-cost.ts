import { operation } from '../access/operation.ts';
import { adminRead } from '../access/permissions.ts';
import { attemptLimits, currency } from '../config/limits.ts';
import {
  readLabourCostOfCallTimes,
  readLabourCostOfEvents,
  readLabourCostReport,
  type LabourCostSums,
} from '../db/labour-cost.ts';
import { callTimeIdsInput, eventIdsInput } from './events-input.ts';
import { makeReport, periodRule, reportInput } from './reports-input.ts';

export interface LabourCostRow extends LabourCostSums {
  /** Currency code, ISO 4217. */
  readonly currency: string;
}

/** Reads the labour cost of many events in one statement. */
export const getByEvents = operation({
  ...adminRead,
  name: 'labourCost.ofEvents',
  isPart: true,
  input: eventIdsInput,
  run: async (scope, { eventIds }) => forEach(eventIds, await readLabourCostOfEvents(scope.db, eventIds)),
});

/** Reads the labour cost of many call times in one statement. */
export const getByCallTimes = operation({
  ...adminRead,
  name: 'labourCost.ofCallTimes',
  isPart: true,
  input: callTimeIdsInput,
  run: async (scope, { callTimeIds }) => forEach(callTimeIds, await readLabourCostOfCallTimes(scope.db, callTimeIds)),
});

/** Sums up the labour cost of the events that start in a period, as a total and in groups. */
export const report = operation({
  ...adminRead,
  name: 'labourCost.report',
  replica: 'snapshot',
  input: reportInput,
  attempts: attemptLimits.report,
  rules: [periodRule],
  run: (scope, input) =>
    makeReport(
      'labourCost',
      scope,
      input,
      (filter, grouped) => readLabourCostReport(scope.db, filter, grouped),
      labourCostOf,
    ),
});

const nothing: LabourCostSums = {
  planned: '0.00',
  confirmed: '0.00',
  open: '0.00',
  actual: '0.00',
  withoutActual: 0,
  plannedRevenue: '0.00',
  confirmedRevenue: '0.00',
  actualRevenue: '0.00',
  plannedMargin: '0.00',
  confirmedMargin: '0.00',
  actualMargin: '0.00',
  unbilledShifts: 0,
  withoutActualRevenue: 0,
  unpricedShifts: 0,
  unpricedOpen: 0,
};

function forEach(ids: readonly number[], rows: readonly (LabourCostSums & { readonly id: number })[]) {
  const sums = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => ({ id, ...labourCostOf(sums.get(id) ?? nothing) }));
}

const labourCostOf = (sums: LabourCostSums): LabourCostRow => ({
  planned: sums.planned,
  confirmed: sums.confirmed,
  open: sums.open,
  actual: sums.actual,
  withoutActual: sums.withoutActual,
  plannedRevenue: sums.plannedRevenue,
  confirmedRevenue: sums.confirmedRevenue,
  actualRevenue: sums.actualRevenue,
  plannedMargin: sums.plannedMargin,
  confirmedMargin: sums.confirmedMargin,
  actualMargin: sums.actualMargin,
  unbilledShifts: sums.unbilledShifts,
  withoutActualRevenue: sums.withoutActualRevenue,
  unpricedShifts: sums.unpricedShifts,
  unpricedOpen: sums.unpricedOpen,
  currency,
});
