import { formatMinutes } from '../../time/zones.ts';
import type { Messages } from '../messages/messages.ts';

/** A rule that stands against a change, and that a reason lifts. */
export interface Clash {
  /** One of the rules that have words of their own here, or one that brings its `text`. */
  readonly kind: string;
  readonly needed?: number | null;
  readonly assigned?: number | null;
  readonly eventTitle?: string | null;
  readonly minutes?: number | null;
  readonly text?: string | null;
  readonly user?: { readonly name?: string } | null;
}

export function describeClash(
  { kind, needed, assigned, eventTitle, minutes, text, user }: Clash,
  messages: Messages,
): string {
  const { clash } = messages.event;
  const name = user?.name ?? clash.someone;
  const title = eventTitle ?? clash.otherEvent;
  if (text) return clash.rule(name, text);
  if (kind === 'OVERFILLED') return clash.OVERFILLED(assigned ?? 0, needed ?? 0);
  if (kind === 'OUTSIDE_EVENT') return clash.OUTSIDE_EVENT;
  return kind === 'OVERLAP'
    ? clash.OVERLAP(name, title, formatMinutes(minutes ?? 0, messages))
    : clash.POSSIBLE_OVERLAP(name, title);
}
