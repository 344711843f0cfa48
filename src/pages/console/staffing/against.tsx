import { describeClash } from '../event/clash-dialog.tsx';
import { useMessages, type Messages } from '../messages/messages.ts';
import { LongTextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import type { RefusedStep } from './steps.ts';

interface Props {
  readonly items: readonly string[];
  readonly reason: string;
  readonly isMissing: boolean;
  readonly onChange: (reason: string) => void;
}

/** What stands against a change, and the reason why it is right all the same. */
export function Against({ items, reason, isMissing, onChange }: Props) {
  const { staffing: texts } = useMessages();
  return (
    <>
      <div role="status">
        <Notice look="warning">
          <strong>{texts.against}</strong>
          <ul>
            {items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </Notice>
      </div>
      <LongTextField
        label={texts.reason}
        value={reason}
        error={isMissing && reason.trim() === '' ? texts.reasonNeeded : null}
        onChange={onChange}
      />
    </>
  );
}

/** Why steps were refused, in words. */
export const describeRefusals = (refused: readonly RefusedStep[], messages: Messages): readonly string[] =>
  refused.flatMap(({ name, refusal, clashes }) =>
    clashes.length > 0
      ? clashes.map((clash) => describeClash({ ...clash, user: clash.user ?? { name } }, messages))
      : [messages.staffing.refusedFor(name, refusal)],
  );
