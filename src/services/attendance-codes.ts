import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeyedDigests } from '../access/keyed-digests.ts';
import { Rehearsed } from '../access/operation.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { countTry, type AttendedShift } from '../db/attendance.ts';
import { readBusiness } from '../db/businesses.ts';
import { conflict, invalid } from '../errors.ts';

/*
 * Codes with which people check in at an event. They are keyed digests, so none is stored: six digits for each step of 30 seconds, and
 * 128 bits for each day, to be printed.
 */

type EventName = Pick<AttendedShift, 'eventUuid'>;

const stepMs = limits.replacedS * 1000;

const digitsOf = (digests: KeyedDigests, { eventUuid }: EventName, step: number) =>
  digests(`${eventUuid} ${step}`).map((hex) => String(Number(BigInt(`0x${hex}`) % 1_000_000n)).padStart(6, '0'));

/** The code that is to be shown now, and when the next one takes its place. */
export function screenCode(digests: KeyedDigests, event: EventName, now: Date) {
  const step = Math.floor(now.getTime() / stepMs);
  return { code: digitsOf(digests, event, step)[0]!, expiresAt: new Date((step + 1) * stepMs) };
}

/** The codes to be printed for the shifts that start on a day, the present one first. */
export const printedCodesOf = (digests: KeyedDigests, { eventUuid }: EventName, day: string) =>
  digests(`${eventUuid} ${day}`).map((hex) => hex.slice(0, 32));

const isSame = (one: string, other: string) => {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
};

/** Whether a code is that of the event now or a step ago, or, where the business prints codes, that of the day of the shift. */
async function isRight(scope: Scope, digests: KeyedDigests, shift: AttendedShift, code: string): Promise<boolean> {
  const step = Math.floor(scope.clock().getTime() / stepMs);
  const shown = [step, step - 1].flatMap((each) => digitsOf(digests, shift, each));
  if (shown.some((each) => isSame(each, code))) return true;
  const printed = printedCodesOf(digests, shift, shift.day);
  return printed.some((each) => isSame(each, code)) && (await readBusiness(scope.db)).printedCodes;
}

/**
 * Counts a try of a person at an event, in a transaction of its own, which stays when the call is refused. A right one makes their count
 * begin anew. It locks no address, because a crew shares one. In a transaction that is rolled back, no code is judged: the try would not
 * count.
 */
export async function tryCode(
  scope: Scope,
  { eventId, userId }: { readonly eventId: number; readonly userId: number },
  judge: () => boolean | Promise<boolean>,
  refusal: Parameters<typeof invalid>[0],
): Promise<void> {
  if (scope.isAtomic) throw new Rehearsed();
  const tried = await scope.transaction((tx) => countTry(tx.db, eventId, userId));
  if (tried.ofPerson > limits.wrongCodesOfPerson)
    throw conflict(`More than ${limits.wrongCodesOfPerson} wrong codes: ask an admin to unlock you at this event.`);
  if (tried.ofEvent > limits.wrongCodesOfEvent)
    throw conflict('Too many wrong codes were sent for this event: ask an admin to unlock it.');
  if (!(await judge())) throw invalid(refusal);
  await scope.db.attendanceAttempt.deleteMany({ where: { eventId, userId } });
}

/** Refuses a wrong code of the calling person. */
export async function requireCode(scope: Scope, digests: KeyedDigests, shift: AttendedShift, code: string | undefined) {
  if (code === undefined) throw invalid({ code: ['is required: it is shown on a screen of the event'] });
  await tryCode(scope, shift, () => isRight(scope, digests, shift, code), {
    code: ['is not the code of this event now: read it again from the screen'],
  });
}
