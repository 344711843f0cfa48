import { expect } from '@jest/globals';
import type { RecordedChange } from '../../src/access/change.ts';

/** Operations that do not record themselves once: those of many rows record each row, and a log-in stores its entry in its own statement. */
const recordedAs: Record<string, readonly string[]> = {
  'workShifts.assignMany': ['workShifts.assign'],
  'workShifts.confirmMany': ['workShifts.confirm'],
  'workShifts.cancelMany': ['workShifts.cancel'],
  'events.updateMany': ['events.update'],
  'availabilityPatterns.createMany': ['availabilityPatterns.create'],
  'availabilityExceptions.createMany': ['availabilityExceptions.create'],
  'userQualifications.createMany': ['userQualifications.create'],
  'workShifts.exchange': ['workShifts.exchange', 'workShifts.exchange'],
  // The part in the offer, and the shift.
  'offers.accept': ['offers.accept', 'offers.accept'],
  'callTimes.claim': ['callTimes.claim', 'callTimes.claim'],
  // The swap, and the shift.
  'swaps.approve': ['swaps.approve', 'swaps.approve'],
  'tokens.login': [],
  // Nothing is stored for a code, and a claim stores its entry as a log-in does.
  'screens.createCode': [],
  'screens.claim': [],
  'invitations.claim': [],
  // It is the person who accepts.
  'mails.answerOffer': ['offers.accept', 'offers.accept'],
  // A read, by a route of POST, and writes that store their entries themselves.
  ...{ 'mails.showOffer': [], 'mails.unsubscribe': [], 'passwords.forget': [], 'passwords.setForgotten': [] },
};

/** Fails unless a call of the operation has recorded what it did, and nothing else. */
export function expectRecorded(recorded: readonly RecordedChange[], name: string): void {
  expect(recorded.map((change) => change.operation.name)).toEqual(recordedAs[name] ?? [name]);
  for (const { kind, id } of recorded)
    expect({ kind, id }).toEqual({ kind: expect.any(String), id: expect.any(Number) });
}
