import type { Request } from 'autocannon';
import { reportedSpan } from './reported.ts';
import { graphql } from './requests.ts';
import type { Business, Scene } from './scene.ts';
import type { Service } from './service.ts';
import { documents } from './shapes.ts';
import { medianTimes } from './timed.ts';

/** Reports over 400 days; median times in ms, one request at a time, each computed afresh. */
export interface Reports {
  readonly events: number;
  readonly coverageMs: number;
  readonly labourCostMs: number;
}

const dayMs = 86_400_000;

/** Null: the scene has no business with so many events. */
export async function measureReports({ reported }: Scene, { origin }: Service, reads: number): Promise<Reports | null> {
  if (!reported) return null;
  const readers = {
    coverageMs: overAllDays(documents.service.coverage, reported),
    labourCostMs: overAllDays(documents.service.labourCost, reported),
  };
  return { events: reportedSpan.events, ...(await medianTimes(origin, readers, reads)) };
}

/** Asks about the same events each time, from an instant that was never asked about. */
function overAllDays(document: string, { key }: Business): () => Request {
  const send = graphql(document, key);
  let serial = 0;
  return () => {
    const from = Date.parse(reportedSpan.firstDay) + serial++;
    return send({ from: new Date(from).toISOString(), to: new Date(from + reportedSpan.days * dayMs).toISOString() });
  };
}
