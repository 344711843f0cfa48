import type { Role } from '../application/session.ts';

/* What the board shows, in the shape in which the service sends it. */

/** Who looks at the board: a person by their role, or anyone before a screen. */
export type Audience = Role | 'SCREEN';

export interface BoardCallTime {
  readonly uuid: string;
  readonly staffNeeded: number;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly startTimeTbd: boolean;
  readonly endTimeTbd: boolean;
  readonly notesForStaff: string | null;
  readonly dressCode: string | null;
  readonly payUnit: string;
  /** Only asked for admins. */
  readonly payRate?: string | null;
  readonly position: { readonly id: string; readonly title: string };
  readonly skillLevel: { readonly name: string } | null;
}

export interface Shift {
  readonly uuid: string;
  readonly version: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly status: 'ACTIVE' | 'CANCELED' | 'DELETED';
  readonly confirmed: boolean;
  readonly confirmedAt: string | null;
  readonly createdAt: string;
  /** Null: to be determined. */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  /** Not asked for clients. */
  readonly payRate?: string | null;
  readonly overrideReason?: string | null;
  /** Only asked by screens, which are not told with what. */
  readonly doubleBooked?: boolean;
  readonly position: { readonly id: string; readonly title: string };
  readonly callTime: { readonly uuid: string } | null;
}

export interface BoardEvent {
  readonly uuid: string;
  readonly title: string;
  readonly status: 'ACTIVE' | 'DRAFT' | 'CANCELED' | 'DELETED';
  /** An IANA name, or an offset: see `trustService`. */
  readonly timezone: string;
  readonly start: { readonly iso: string | null };
  readonly startsAt: string;
  readonly endsAt: string;
  readonly startTimeTbd: boolean;
  readonly endTimeTbd: boolean;
  readonly venueName: string | null;
  readonly room: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly dressCode: string | null;
  /** Only asked for admins. */
  readonly client?: { readonly id: string; readonly name: string } | null;
  readonly callTimes: readonly BoardCallTime[];
  readonly workShifts: readonly Shift[];
}

interface ConflictingShift {
  readonly uuid: string;
  readonly overrideReason: string | null;
  readonly event: { readonly uuid: string; readonly title: string } | null;
}

/** Two shifts of one person that share time, or may share some. */
export interface Conflict {
  readonly kind: 'OVERLAP' | 'POSSIBLE_OVERLAP';
  readonly minutes: number | null;
  readonly startsAt: string;
  readonly first: ConflictingShift;
  readonly second: ConflictingShift;
  readonly staff: { readonly name: string };
}

export interface BoardData {
  readonly events: readonly BoardEvent[];
  readonly conflicts: readonly Conflict[];
  /** Events of a staff member that are still to come, outside of the span. */
  readonly later?: readonly BoardEvent[];
}

export const fullName = ({ firstName, lastName }: Shift): string => `${firstName} ${lastName}`.trim();

/** First name and initial: what fits on a time line. */
export const shortName = ({ firstName, lastName }: Shift): string =>
  lastName ? `${firstName} ${lastName.charAt(0)}.` : firstName;
