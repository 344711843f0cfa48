import type {
  BoardCallFieldsFragment,
  BoardConflictsQuery,
  BoardEventFieldsFragment,
  BoardShiftFieldsFragment,
} from '../../../generated/pages/console/board.ts';
import type { Role } from '../../application/session.ts';
import type { Noted } from '../../time/presence.ts';

/* What the board shows, in the shape in which the service sends it. */

/** Viewers of the board: people by their role, and anyone before a screen. */
export type Audience = Role | 'SCREEN';

export type BoardCallTime = BoardCallFieldsFragment;

/** Admins see why a rule was overridden; clients are not told when people came and left. */
export type Shift = BoardShiftFieldsFragment & {
  readonly overrideReason?: string | null;
  readonly attendance?: Noted | null;
  /** Only asked by screens, which are not told with what. */
  readonly doubleBooked?: boolean;
};

/** The time zone is an IANA name, or an offset: see `trustService`. */
export type BoardEvent = BoardEventFieldsFragment & {
  /** Only asked for admins. */
  readonly client?: { readonly id: string; readonly name: string } | null;
  readonly callTimes: readonly BoardCallTime[];
  readonly workShifts: readonly Shift[];
};

type AnyConflict = BoardConflictsQuery['page']['nodes'][number];

/** Two shifts of one person that share time, or may share some. */
export type Conflict = AnyConflict & {
  readonly kind: 'OVERLAP' | 'POSSIBLE_OVERLAP';
  readonly second: NonNullable<AnyConflict['second']>;
};

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
