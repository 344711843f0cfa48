import { setTimeout as wait } from 'node:timers/promises';
import { byOperator } from '../../access/audit.ts';
import { limits } from '../../config/limits.ts';
import { noteOrigin } from '../../db/change-log.ts';
import { tryLockRetime } from '../../db/lock.ts';
import { settleRates } from '../../db/positions.ts';
import { lockEventsToRetime, readEventIdsAfter, readTimedRows, storeInstants } from '../../db/retime.ts';
import { bindToBusiness, rawOf, type TenantDb } from '../../db/tenant.ts';
import {
  advanceTzPass,
  beginTzPass,
  completeTzPass,
  findBusinessFrom,
  noteOlderTzData,
  readTzState,
  type TzState,
} from '../../db/tz-state.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { deriveInstants, retimeMarginMs } from './derive.ts';
import { addFindings, countChanged, type BusinessReport, type Findings } from './report.ts';

/*
 * Derives the instants to come anew after a change of the time zone data: all events of all businesses in the order of their
 * ids, a batch of events with their call times and shifts in each transaction. The transaction also notes how far the pass
 * is, so a pass that was killed goes on behind its last batch, in whichever process. Only one process at a time works on a
 * batch. What differs is seen from the rows themselves, because the data of before are gone.
 */

export interface Pass {
  readonly prisma: PrismaClient;
  /** Version of the data in force. */
  readonly version: string;
  readonly clock: () => Date;
  /** Ends the pass after the batch that runs. */
  readonly signal?: AbortSignal;
}

export type PassOutcome =
  /** The instants agree with the data in force already. */
  | { readonly kind: 'current' }
  /** The instants, or a pass under way, have newer data than this process: nothing was done. */
  | { readonly kind: 'older'; readonly newest: string }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'complete'; readonly from: string | null; readonly report: BusinessReport[] };

/**
 * Makes the instants to come agree with the data in force. With `always`, a pass is made even if they should agree already.
 * It can be repeated at any time: rows that agree are not written.
 */
export async function deriveAnew(pass: Pass, { always = false } = {}): Promise<PassOutcome> {
  const { prisma, version, clock, signal } = pass;
  const report: BusinessReport[] = [];
  let state = await readTzState(prisma);
  const from = state?.tzVersion ?? null;
  let step = nextStep(state, version);
  if (step === 'none') {
    if (!always) return { kind: 'current' };
    step = 'begin';
  }
  while (step === 'begin' || step === 'continue') {
    if (isInterrupted(pass)) return { kind: 'interrupted' };
    const isDone = step === 'begin' ? await begin(pass) : await deriveBatch(pass, report);
    if (!isDone) await wait(limits.retryMs, undefined, { ...(signal && { signal }) }).catch(() => undefined);
    const wasUnderWay: boolean = step === 'continue';
    state = await readTzState(prisma);
    // A pass that is complete ends this call, even if a process with older data makes another one necessary later.
    const isComplete = state?.nextVersion === null && state.tzVersion === version;
    step = wasUnderWay && isComplete ? 'none' : nextStep(state, version);
  }
  if (step === 'none') return { kind: 'complete', from, report };
  await noteOlderTzData(prisma, new Date(clock().getTime() + 2 * limits.housekeepingMs));
  return { kind: 'older', newest: newestIn(state) };
}

const isInterrupted = ({ signal }: Pass): boolean => signal?.aborted ?? false;

/** Finds what would change, without a lock, and changes nothing. */
export async function previewRetime({ prisma, clock }: Pick<Pass, 'prisma' | 'clock'>): Promise<BusinessReport[]> {
  const report: BusinessReport[] = [];
  let business = await findBusinessFrom(prisma, 0);
  while (business) {
    const { db } = bindToBusiness(prisma, business.id);
    let ids = await readEventIdsAfter(db, 0, limits.retimeEvents);
    while (ids.length > 0) {
      addFindings(report, business, await findChanges(db, ids, clock()));
      ids = await readEventIdsAfter(db, ids.at(-1)!, limits.retimeEvents);
    }
    business = await findBusinessFrom(prisma, business.id + 1);
  }
  return report;
}

/** The newest version that the instants of the database have, in part or as a whole. Versions are ordered as texts. */
export const newestIn = (state: TzState | null): string =>
  [state?.tzVersion ?? '', state?.nextVersion ?? ''].sort().at(-1) ?? '';

function nextStep(state: TzState | null, version: string): 'none' | 'begin' | 'continue' | 'refuse' {
  if (newestIn(state) > version) return 'refuse';
  if (state?.nextVersion === version) return 'continue';
  if (!state || state.nextVersion !== null || state.tzVersion !== version) return 'begin';
  // A process with older data may have written after the last pass began.
  return state.olderUntil !== null && (!state.startedAt || state.olderUntil > state.startedAt) ? 'begin' : 'none';
}

/** Begins a pass. Returns false while another process holds the lock. */
function begin({ prisma, version, clock }: Pass): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    if (!(await tryLockRetime(tx))) return false;
    if (newestIn(await readTzState(tx)) <= version) await beginTzPass(tx, version, clock());
    return true;
  });
}

/** Derives the next batch of a pass. Returns false while another process holds the lock. */
async function deriveBatch(pass: Pass, report: BusinessReport[]): Promise<boolean> {
  const { prisma, version, clock } = pass;
  const state = await readTzState(prisma);
  if (state?.nextVersion !== version) return true;
  const business = await findBusinessFrom(prisma, state.lastBusiness);
  if (!business)
    return prisma.$transaction(async (tx) => {
      if (!(await tryLockRetime(tx))) return false;
      if (isUnmoved(state, await readTzState(tx))) await completeTzPass(tx);
      return true;
    });
  const done = await bindToBusiness(prisma, business.id).transact(async (tx) => {
    const raw = rawOf(tx);
    if (!(await tryLockRetime(raw))) return null;
    await noteOrigin(raw, { operation: 'retime' });
    if (!isUnmoved(state, await readTzState(raw))) return [];
    const after = business.id === state.lastBusiness ? state.lastEvent : 0;
    const ids = await readEventIdsAfter(tx, after, limits.retimeEvents);
    const findings = await storeChanges(tx, ids, clock(), { from: state.tzVersion, to: version });
    if (ids.length === 0) await settleRates(tx, clock());
    await (ids.length > 0 ? advanceTzPass(raw, business.id, ids.at(-1)!) : advanceTzPass(raw, business.id + 1, 0));
    return findings;
  });
  addFindings(report, business, done ?? []);
  return done !== null;
}

/** Whether no other process has moved the pass on. */
const isUnmoved = (before: TzState, now: TzState | null): boolean =>
  now?.nextVersion === before.nextVersion &&
  now?.startedAt?.getTime() === before.startedAt?.getTime() &&
  now?.lastBusiness === before.lastBusiness &&
  now?.lastEvent === before.lastEvent;

async function findChanges(db: TenantDb, eventIds: readonly number[], now: Date): Promise<Findings> {
  const rows = await readTimedRows(db, eventIds, new Date(now.getTime() - retimeMarginMs));
  return rows
    .map((row) => ({ row, derivation: deriveInstants(row, now) }))
    .filter(({ derivation }) => derivation.kind !== 'same');
}

/** Finds the changes of a batch, and stores them with an entry of the audit trail. Nothing is locked where nothing changes. */
async function storeChanges(
  tx: TenantDb,
  eventIds: readonly number[],
  now: Date,
  versions: { readonly from: string | null; readonly to: string },
): Promise<Findings> {
  const seen = await findChanges(tx, eventIds, now);
  if (seen.length === 0) return seen;
  const changedIds = [...new Set(seen.map(({ row }) => row.eventId))];
  await lockEventsToRetime(tx, changedIds);
  // Read again, because others could change the rows until they were locked.
  const findings = await findChanges(tx, changedIds, now);
  for (const table of ['events', 'call_times', 'work_shifts'] as const) {
    const changed = findings.flatMap(({ row, derivation }) =>
      row.table === table && derivation.kind === 'changed'
        ? [{ id: row.id, startsAt: derivation.startsAt, endsAt: derivation.endsAt }]
        : [],
    );
    await storeInstants(tx, table, changed, now);
  }
  if (findings.length > 0) await tx.auditEntry.createMany({ data: [auditEntry(tx.$businessId, findings, versions)] });
  return findings;
}

function auditEntry(businessId: number, findings: Findings, { from, to }: { from: string | null; to: string }) {
  const report: BusinessReport[] = [];
  addFindings(report, { id: businessId, name: '' }, findings);
  const zones = report.flatMap((business) => business.zones);
  return byOperator(businessId, 'retime', ['business', businessId], {
    tz_version: { from, to },
    zones: Object.fromEntries(zones.map((zone) => [zone.zone, { ...zone.changed, problems: zone.problems }])),
    changed: zones.reduce((sum, zone) => sum + countChanged(zone), 0),
  });
}
