import { useState } from 'react';
import { cancel } from '../../board/actions.ts';
import type { Shift } from '../event/documents.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { describeRefusals } from './against.tsx';
import { fullName, keepRefused, takeSteps, type RefusedStep } from './steps.ts';

interface Props {
  readonly shifts: readonly Shift[];
  readonly names: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Calls people off, with a reason if one is given. */
export function CallOffDialog({ shifts, names, onDone, onClose }: Props) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const [cause, setCause] = useState('');
  const [refused, setRefused] = useState<readonly RefusedStep[]>([]);
  const [rest, setRest] = useState(shifts);
  const [isBusy, setIsBusy] = useState(false);

  async function submit() {
    setIsBusy(true);
    const steps = rest.map((shift) => ({
      name: fullName(shift),
      run: () => cancel(shift, fullName(shift), cause.trim() || null),
    }));
    const left = await takeSteps(steps, texts.wasCalledOff, messages);
    setIsBusy(false);
    setRefused(left);
    setRest(keepRefused(rest, left));
    if (left.length === 0) onDone();
  }

  return (
    <Dialog
      title={texts.callOffTitle(names)}
      onClose={onClose}
      actions={
        <Button look="danger" type="submit" form="call-off" isBusy={isBusy}>
          {texts.callOffNow}
        </Button>
      }
    >
      <form
        id="call-off"
        className="cs-form"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (!isBusy) void submit();
        }}
      >
        <p>{texts.callOffLead}</p>
        <TextField label={texts.cause} isOptional maxLength={1000} value={cause} onChange={setCause} />
        {refused.length > 0 && <Notice look="bad">{describeRefusals(refused, messages).join(' ')}</Notice>}
      </form>
    </Dialog>
  );
}
