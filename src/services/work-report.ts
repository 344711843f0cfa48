import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { adminRead } from '../access/permissions.ts';
import { attemptLimits, currency, limits } from '../config/limits.ts';
import { readWorkReport } from '../db/work-report.ts';
import type { WorkRow, WorkSums } from '../fields/work-report.ts';
import { closedObject, int4 } from '../validation/schemas.ts';
import { makeReport, periodRule, reportInput } from './reports-input.ts';

export const workReportInput = closedObject({
  ...reportInput.properties,
  canceledWithinHours: Type.Optional(
    int4(
      0,
      limits.canceledWithinHoursMax,
      `From how many hours before its start on a canceled shift counts as canceled late. Default: ${limits.canceledLateHours}.`,
    ),
  ),
});

/** Sums up who works at the events that start in a period: shifts, people, hours, cost and fill rate. */
export const report = operation({
  ...adminRead,
  name: 'work.report',
  replica: 'snapshot',
  input: workReportInput,
  attempts: attemptLimits.report,
  rules: [periodRule],
  run: (scope, { canceledWithinHours = limits.canceledLateHours, ...input }) =>
    makeReport(
      'work',
      scope,
      input,
      (filter, grouped) => readWorkReport(scope.db, filter, grouped, canceledWithinHours),
      (sums): WorkRow => ({ ...sums, fillRate: fillRateOf(sums), currency }),
    ),
});

const fillRateOf = ({ needed, open }: WorkSums) => (needed && open !== null ? (needed - open) / needed : null);
