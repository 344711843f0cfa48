import type { Prisma } from '../../generated/prisma/client.ts';
import { dayMs } from './moments.ts';
import type { BusinessProfile } from './profiles.ts';

interface HeldDraft {
  readonly qualification: string;
  /** Index of the person among the staff. */
  readonly staff: number;
  readonly row: Omit<Prisma.UserQualificationCreateManyInput, 'businessId' | 'userId' | 'qualificationId'>;
}

/**
 * Drafts what staff hold. Nearly everybody has what a position requires: of 16 people, one holds it no longer, one only for some
 * weeks, and one not at all. What is not required, a third of the staff hold.
 */
export function draftHeld({ qualifications, staffCount }: BusinessProfile, today: Date): HeldDraft[] {
  const day = (days: number) => new Date(today.getTime() + days * dayMs);
  return qualifications.flatMap(({ name, expires, requiredBy }, kind) =>
    Array.from({ length: staffCount }, (_, staff) => staff)
      .filter((staff) => (requiredBy ? staff % 16 !== 14 : (staff + kind) % 3 === 0))
      .map((staff) => ({
        qualification: name,
        staff,
        row: {
          level: requiredBy?.minLevel ? Math.min(5, requiredBy.minLevel + (staff % 3)) : null,
          validFrom: day(-400 - staff),
          validUntil: !expires ? null : day(staff % 16 === 13 ? -20 : staff % 16 === 11 ? 9 + kind : 1000 + 5 * staff),
          reference: expires ? `${name.slice(0, 2).toUpperCase()}-${20_400 + staff}` : null,
        },
      })),
  );
}
