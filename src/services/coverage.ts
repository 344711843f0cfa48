import { operation } from '../access/operation.ts';
import { adminAndClient, adminRead } from '../access/permissions.ts';
import { attemptLimits } from '../config/limits.ts';
import { readCoverageOfCallTimes, readCoverageOfEvents, readCoverageReport } from '../db/coverage.ts';
import type { CoverageCounts, CoverageRow } from '../fields/coverage.ts';
import { callTimeIdsInput, eventIdsInput } from './events-input.ts';
import { makeReport, noStaffRule, periodRule, refuseStaff, reportInput } from './reports-input.ts';

/** Reads the coverage of many events in one statement. */
export const getByEvents = operation({
  name: 'coverage.ofEvents',
  roles: adminAndClient,
  scopes: ['read'],
  cacheable: true,
  isPart: true,
  input: eventIdsInput,
  run: async (scope, { eventIds }) => withShares(await readCoverageOfEvents(scope.db, eventIds)),
});

/** Reads the coverage of many call times in one statement. */
export const getByCallTimes = operation({
  name: 'coverage.ofCallTimes',
  roles: adminAndClient,
  scopes: ['read'],
  cacheable: true,
  isPart: true,
  input: callTimeIdsInput,
  run: async (scope, { callTimeIds }) => withShares(await readCoverageOfCallTimes(scope.db, callTimeIds)),
});

/** Sums up the coverage of the events that start in a period, as a total and in groups. */
export const report = operation({
  ...adminRead,
  name: 'coverage.report',
  replica: 'snapshot',
  input: reportInput,
  attempts: attemptLimits.report,
  rules: [periodRule, noStaffRule('coverage')],
  run: (scope, input) => {
    refuseStaff(input, 'coverage');
    return makeReport(
      'coverage',
      scope,
      input,
      (filter, grouped) => readCoverageReport(scope.db, filter, grouped),
      coverageOf,
    );
  },
});

const withShares = <Row extends CoverageCounts>(rows: readonly Row[]) =>
  rows.map((row) => ({ ...row, ...coverageOf(row) }));

function coverageOf({ needed, assigned, confirmed, present, open }: CoverageCounts): CoverageRow {
  const fillRate = needed === 0 ? null : (needed - open) / needed;
  return { needed, assigned, confirmed, present, open, fillRate, state: stateOf({ needed, assigned, open }) };
}

function stateOf({
  needed,
  assigned,
  open,
}: Pick<CoverageCounts, 'needed' | 'assigned' | 'open'>): CoverageRow['state'] {
  if (needed === 0) return 'NONE_NEEDED';
  if (assigned === 0) return 'EMPTY';
  if (open > 0) return 'PARTIAL';
  return assigned > needed ? 'OVERFILLED' : 'FILLED';
}
