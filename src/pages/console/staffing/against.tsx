import { describeClash } from '../event/clash-dialog.tsx';
import { useMessages, type Messages } from '../messages/messages.ts';
import { LongTextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import type { RefusedStep } from './steps.ts';

interface Props {
  /** What a reason lifts. */
  readonly items: readonly string[];
  readonly refused: readonly RefusedStep[];
  readonly reason: string;
  readonly isMissing: boolean;
  readonly onChange: (reason: string) => void;
}

/** What stands against a change, and the reason why it is right all the same. */
export function Against({ items, refused, reason, isMissing, onChange }: Props) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const clashes = [...items, ...describeRefusals(refused.filter(isLiftable), messages)];
  const others = describeRefusals(
    refused.filter((step) => !isLiftable(step)),
    messages,
  );
  return (
    <>
      {others.length > 0 && <Notice look="bad">{others.join(' ')}</Notice>}
      {clashes.length > 0 && (
        <>
          <div role="status">
            <Notice look="warning">
              <strong>{texts.against}</strong>
              <ul>
                {clashes.map((item) => (
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
      )}
    </>
  );
}

/** Whether a reason lifts what stands against the step. */
export const isLiftable = ({ clashes }: RefusedStep): boolean => clashes.length > 0;

/** Why steps were refused, in words. */
export const describeRefusals = (refused: readonly RefusedStep[], messages: Messages): readonly string[] =>
  refused.flatMap(({ name, refusal, clashes }) =>
    clashes.length > 0
      ? clashes.map((clash) => describeClash({ ...clash, user: clash.user ?? { name } }, messages))
      : [messages.staffing.refusedFor(name, refusal)],
  );
