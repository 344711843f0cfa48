import { limits } from '../../config/limits.ts';
import type { TimedRow, TimedTable } from '../../db/retime.ts';
import type { Derivation } from './derive.ts';

/** One instant that changes. */
interface Example {
  readonly table: TimedTable;
  readonly uuid: string;
  readonly wall: string;
  readonly from: string;
  readonly to: string;
}

type ChangedRows = Record<TimedTable, number>;

export interface ZoneReport {
  readonly zone: string;
  readonly changed: ChangedRows;
  readonly examples: Example[];
  /** Rows that keep their instants although the rules of the zone have changed. */
  problems: number;
  readonly problemExamples: { readonly table: TimedTable; readonly uuid: string; readonly reason: string }[];
}

export interface BusinessReport {
  readonly id: number;
  readonly name: string;
  readonly zones: ZoneReport[];
}

/** Rows whose instants differ from those that the data in force give, and what was found for them. */
export type Findings = readonly { readonly row: TimedRow; readonly derivation: Derivation }[];

/** Adds findings of a business to the report of a pass. */
export function addFindings(
  report: BusinessReport[],
  business: { id: number; name: string },
  findings: Findings,
): void {
  if (findings.length === 0) return;
  let ofBusiness = report.find(({ id }) => id === business.id);
  if (!ofBusiness) report.push((ofBusiness = { ...business, zones: [] }));
  for (const { row, derivation } of findings) {
    let ofZone = ofBusiness.zones.find(({ zone }) => zone === row.timezone);
    if (!ofZone) ofBusiness.zones.push((ofZone = emptyZone(row.timezone)));
    addFinding(ofZone, row, derivation);
  }
}

const emptyZone = (zone: string): ZoneReport => ({
  zone,
  changed: { events: 0, call_times: 0, work_shifts: 0 },
  examples: [],
  problems: 0,
  problemExamples: [],
});

function addFinding(zone: ZoneReport, { table, uuid, ...row }: TimedRow, derivation: Derivation): void {
  if (derivation.kind === 'problem') {
    zone.problems += 1;
    if (zone.problemExamples.length < limits.listedMax)
      zone.problemExamples.push({ table, uuid, reason: derivation.reason });
  }
  if (derivation.kind !== 'changed') return;
  zone.changed[table] += 1;
  if (zone.examples.length >= limits.retimeExamples) return;
  const isStart = row.startsAt?.getTime() !== derivation.startsAt?.getTime();
  const [wall, from, to] = isStart
    ? [row.startTime, row.startsAt, derivation.startsAt]
    : [row.endTime, row.endsAt, derivation.endsAt];
  zone.examples.push({ table, uuid, wall: wall ?? '', from: from?.toISOString() ?? '', to: to?.toISOString() ?? '' });
}

export const countChanged = ({ changed }: ZoneReport): number =>
  changed.events + changed.call_times + changed.work_shifts;

/** Sums of a whole report. */
export function sumUp(report: readonly BusinessReport[]): { changed: number; problems: number } {
  const zones = report.flatMap((business) => business.zones);
  return {
    changed: zones.reduce((sum, zone) => sum + countChanged(zone), 0),
    problems: zones.reduce((sum, { problems }) => sum + problems, 0),
  };
}
