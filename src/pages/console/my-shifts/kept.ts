import { readSession, watchSession } from '../../application/session.ts';
import { readStored, store } from '../../application/storage.ts';
import type { OwnShift } from '../own-shifts/shifts.ts';

/* The last list of the viewer's shifts, for when there is no connection. It is deleted when the log-in ends, and after a week. */

const storageKey = 'callboard:my-shifts';
const keptMs = 7 * 24 * 3_600_000;

export interface KeptShifts {
  readonly userId: string;
  readonly storedAtMs: number;
  readonly shifts: readonly OwnShift[];
}

export function keepShifts(shifts: readonly OwnShift[]): void {
  const { login, viewer } = readSession();
  const userId = viewer?.user?.id;
  if (!login || userId === undefined) return;
  const kept: KeptShifts = { userId, storedAtMs: Date.now(), shifts };
  store('localStorage', storageKey, kept);
}

export function readKeptShifts(): KeptShifts | null {
  const kept = readStored('localStorage', storageKey) as KeptShifts | null;
  if (kept && kept.storedAtMs > Date.now() - keptMs) return kept;
  if (kept) store('localStorage', storageKey, null);
  return null;
}

watchSession(() => {
  const { phase, login, viewer, isUnreachable } = readSession();
  const isRefused = phase === 'in' ? login === null : phase === 'out' && !isUnreachable;
  const isOther = phase === 'in' && viewer !== null && viewer.user?.id !== readKeptShifts()?.userId;
  if (isRefused || isOther) store('localStorage', storageKey, null);
});
