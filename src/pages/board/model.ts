import type { Role } from '../application/session.ts';
import type { CallTime, Event } from '../console/event/documents.ts';
import type { StaffedShift } from '../console/staffing/actions.ts';
import type { Noted } from './presence.ts';

/* What the board shows, in the shape in which the service sends it. */

/** Who looks at the board: a person by their role, or anyone before a screen. */
export type Audience = Role | 'SCREEN';

type Texts = 'notesForStaff' | 'dressCode';
type Times = 'startsAt' | 'endsAt' | 'startTimeTbd' | 'endTimeTbd';

export interface BoardCallTime extends Pick<CallTime, 'uuid' | 'staffNeeded' | 'position' | Texts | Times> {
  readonly skillLevel: { readonly name: string } | null;
}

export interface Shift extends StaffedShift {
  readonly confirmedAt: string | null;
  readonly createdAt: string;
  /** Null: to be determined. */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  /** When the person came and left; left out for clients, who are not told. */
  readonly attendance?: Noted | null;
  /** Only asked by screens, which are not told with what. */
  readonly doubleBooked?: boolean;
  readonly position: { readonly id: string; readonly title: string };
}

type Places = 'venueName' | 'room' | 'address' | 'city' | 'state' | 'dressCode';

export interface BoardEvent
  extends Pick<Event, 'uuid' | 'title' | 'status'>, Pick<CallTime, Times>, Readonly<Record<Places, string | null>> {
  /** An IANA name, or an offset: see `trustService`. */
  readonly timezone: string;
  readonly start: { readonly iso: string | null };
  /** Only asked for admins. */
  readonly client?: { readonly id: string; readonly name: string } | null;
  readonly callTimes: readonly BoardCallTime[];
  readonly workShifts: readonly Shift[];
}

interface ConflictingShift {
  readonly uuid: string;
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
