import { formatMinutes } from '../../board/zones.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { TextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';

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

interface Props {
  /** What stands against a change, and is lifted by a reason. */
  readonly against: readonly string[];
  /** What the reason is called where it is needed. */
  readonly label: string;
  readonly reason: string;
  /** Whether the change was tried without the reason that it needs. */
  readonly isMissing: boolean;
  /** Whether a reason is also asked for where nothing stands against the change. Nobody has to say it. */
  readonly isAsked?: boolean;
  readonly onChange: (reason: string) => void;
}

/** What stands against a change, and the reason why it is right all the same. */
export function Reason({ against, label, reason, isMissing, isAsked = false, onChange }: Props) {
  const { staffing: texts } = useMessages();
  const isNeeded = against.length > 0;
  return (
    <>
      {isNeeded && (
        <div role="status">
          <Notice look="warning">
            <strong>{texts.against}</strong>
            <ul>
              {against.map((item, index) => (
                <li key={index}>{item}</li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
      {(isNeeded || isAsked) && (
        <TextField
          label={isNeeded ? label : texts.cause}
          isOptional={!isNeeded}
          maxLength={1000}
          value={reason}
          error={isNeeded && isMissing && reason.trim() === '' ? texts.reasonNeeded : null}
          onChange={onChange}
        />
      )}
    </>
  );
}
