import type { Request } from 'autocannon';
import { reportedShifts, reportedSpan } from './reported.ts';
import { graphql, rest } from './requests.ts';
import type { Business, Scene } from './scene.ts';
import type { Service } from './service.ts';
import { documents } from './shapes.ts';
import { medianTimes } from './timed.ts';

/** Reports over 400 days; median times in ms, one request at a time, each computed afresh. */
export interface Reports {
  readonly events: number;
  readonly coverageMs: number;
  readonly labourCostMs: number;
  /** Over about 240,000 shifts. Older runs have none of the following. */
  readonly byStaffMs?: number;
  readonly byWeekAndPositionMs?: number;
  /** Page 1 of the shifts of the whole business: here of more than a million, and of 1,000. */
  readonly shiftPage1Ms?: number;
  readonly shiftPage1Of1000Ms?: number;
  readonly restShiftPage1Ms?: number;
  readonly restShiftPage1Of1000Ms?: number;
}

const dayMs = 86_400_000;

/** Null: the scene has no business with so many events. */
export async function measureReports({ reported }: Scene, { origin }: Service, reads: number): Promise<Reports | null> {
  if (!reported) return null;
  const readers = {
    coverageMs: overAllDays(documents.service.coverage, reported),
    labourCostMs: overAllDays(documents.service.labourCost, reported),
    byStaffMs: overDays(reportedShifts.days, documents.service.work, reported, { groupBy: 'STAFF' }),
    byWeekAndPositionMs: overDays(reportedShifts.days, documents.service.work, reported, {
      groupBy: ['WEEK', 'POSITION'],
    }),
    shiftPage1Ms: shiftPage(reported),
    shiftPage1Of1000Ms: shiftPage(reported.fewShifts),
    restShiftPage1Ms: () => rest.get(reported.key, rest.afresh('/v1/work_shifts?per_page=15')),
    restShiftPage1Of1000Ms: () => rest.get(reported.fewShifts.key, rest.afresh('/v1/work_shifts?per_page=15')),
  };
  return { events: reportedSpan.events, ...(await medianTimes(origin, readers, reads)) };
}

/** Asks about the same events each time, from an instant that was never asked about. */
const overAllDays = (document: string, business: Business) => overDays(reportedSpan.days, document, business, {});

function overDays(days: number, document: string, { key }: Business, more: object): () => Request {
  const send = graphql(document, key);
  let serial = 0;
  return () => {
    const from = Date.parse(reportedSpan.firstDay) + serial++;
    return send({ from: new Date(from).toISOString(), to: new Date(from + days * dayMs).toISOString(), ...more });
  };
}

/** From an instant before all shifts, so that no answer was given before. */
function shiftPage({ key }: Business): () => Request {
  const send = graphql(documents.service.shifts, key);
  let serial = 0;
  return () => send({ first: 15, from: new Date(Date.UTC(1972, 0, 1) + serial++).toISOString() });
}
