import { operation } from '../access/operation.ts';
import { adminRead } from '../access/permissions.ts';
import { attemptLimits, currency } from '../config/limits.ts';
import { readLabourCostOfCallTimes, readLabourCostOfEvents, readLabourCostReport } from '../db/labour-cost.ts';
import { labourCostSums, type LabourCostRow, type LabourCostSums } from '../fields/labour-cost.ts';
import { callTimeIdsInput, eventIdsInput } from './events-input.ts';
import { makeReport, periodRule, reportInput } from './reports-input.ts';

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

const nothing = Object.fromEntries(
  Object.entries(labourCostSums).map(([name, { kind }]) => [name, kind === 'money' ? '0.00' : 0]),
) as unknown as LabourCostSums;

function forEach(ids: readonly number[], rows: readonly (LabourCostSums & { readonly id: number })[]) {
  const sums = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => ({ id, ...labourCostOf(sums.get(id) ?? nothing) }));
}

const labourCostOf = (sums: LabourCostSums): LabourCostRow => ({ currency, ...sums });
