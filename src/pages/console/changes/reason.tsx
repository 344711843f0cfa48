import { useMessages } from '../messages/messages.ts';
import { TextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';

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
          value={reason}
          error={isNeeded && isMissing && reason.trim() === '' ? texts.reasonNeeded : null}
          onChange={onChange}
        />
      )}
    </>
  );
}
