import { formatMinutes } from '../../board/zones.ts';
import type { Messages } from '../messages/messages.ts';

/** A rule that stands against a change, and that a reason lifts. */
export interface Clash {
  readonly kind: 'OVERFILLED' | 'OVERLAP' | 'POSSIBLE_OVERLAP' | 'OUTSIDE_EVENT';
  readonly needed?: number | null;
  readonly assigned?: number | null;
  readonly eventTitle?: string | null;
  readonly minutes?: number | null;
  readonly user?: { readonly name?: string } | null;
}

export function describeClash(
  { kind, needed, assigned, eventTitle, minutes, user }: Clash,
  messages: Messages,
): string {
  const { clash } = messages.event;
  const name = user?.name ?? clash.someone;
  const title = eventTitle ?? clash.otherEvent;
  if (kind === 'OVERFILLED') return clash.OVERFILLED(assigned ?? 0, needed ?? 0);
  if (kind === 'OUTSIDE_EVENT') return clash.OUTSIDE_EVENT;
  return kind === 'OVERLAP'
    ? clash.OVERLAP(name, title, formatMinutes(minutes ?? 0, messages))
    : clash.POSSIBLE_OVERLAP(name, title);
}
