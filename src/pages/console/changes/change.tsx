import { useMemo, useState, type ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Reason } from './reason.tsx';
import { describeRefused, takeSteps, type RefusedStep, type Step } from './steps.ts';

interface Props {
  /** Of the dialog; without it, the form stands in the page. */
  readonly title?: string;
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  /** What is changed. Nothing is done while there are none. */
  readonly steps: readonly Step[];
  /** Says what has been done. */
  readonly describe: (names: string) => string;
  /** What is known to stand against it before the service says so. */
  readonly against?: readonly string[];
  /** Whether a reason is kept also where none is needed. */
  readonly isReasonAsked?: boolean;
  /** Further buttons. */
  readonly more?: ReactNode;
  /** Keys of the steps that were refused. */
  readonly onDone: (refused: readonly string[]) => void;
  readonly onClose: () => void;
  /** Gets whether it was tried, so that it can say what is missing. */
  readonly children?: (isTried: boolean) => ReactNode;
}

/** Changes shifts. What stands against it is shown, and asks for a reason. */
export function Change({
  title,
  action,
  look = 'primary',
  steps,
  describe,
  against = [],
  isReasonAsked = false,
  more,
  onDone,
  onClose,
  children,
}: Props) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const [refused, setRefused] = useState<readonly RefusedStep[]>([]);
  const [reason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  // Another choice meets other rules.
  const relevant = describeRefused(
    refused.filter(({ key }) => steps.some((step) => step.key === key)),
    messages,
  );
  const rules = [...against, ...relevant.against];
  const isOverride = rules.length > 0;

  async function submit() {
    setIsTried(true);
    const why = reason.trim();
    if (isBusy || steps.length === 0 || (isOverride && why === '')) return;
    setIsBusy(true);
    const left = await takeSteps(steps, describe, messages, { reason: why === '' ? null : why, isOverride });
    setIsBusy(false);
    setIsTried(false);
    setRefused(left);
    onDone(left.map(({ key }) => key));
  }

  const message = relevant.faults.join(' ');
  // The same refusal moves the focus once.
  const fault = useMemo(() => (message ? { code: 'REFUSED', message, fields: {}, details: {} } : null), [message]);
  const form = {
    action:
      (isOverride ? texts.anyway(action) : action) +
      (title === undefined && steps.length > 1 ? ` (${steps.length})` : ''),
    ...{ look, fault, more, isPending: isBusy, onSubmit: () => void submit(), onClose },
    children: (
      <div className="st-form">
        {children?.(isTried)}
        <Reason
          against={rules}
          label={texts.reason}
          reason={reason}
          isMissing={isTried}
          isAsked={isReasonAsked}
          onChange={setReason}
        />
      </div>
    ),
  };
  return title === undefined ? <Form {...form} /> : <FormDialog title={title} {...form} />;
}
