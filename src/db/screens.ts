import type { Screen } from '../generated/prisma/client.ts';

/** The columns of a screen that may be shown: no column here holds its code or its token. */
export const shownScreen = {
  uuid: true,
  name: true,
  names: true,
  clientId: true,
  positionId: true,
  city: true,
  text: true,
  createdAt: true,
  claimableUntil: true,
  claimedAt: true,
  lastSeenAt: true,
} as const;

export type ScreenRow = Pick<Screen, keyof typeof shownScreen>;
