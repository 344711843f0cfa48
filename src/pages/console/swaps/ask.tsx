import { AskSwapDocument, SwapOptionsDocument } from '../../../generated/pages/console/swaps.ts';
import { readData } from '../../application/session.ts';
import { useWrite } from '../../application/data.ts';
import { formatLocal } from '../../time/when.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import type { OwnShift } from '../own-shifts/shifts.ts';
import { Combobox, type Option } from '../parts/combobox.tsx';
import { LongTextField } from '../parts/fields.tsx';
import { useFields } from '../parts/form.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { showToast } from '../parts/toast.tsx';
import { fullName } from '../changes/steps.ts';

/** A colleague, or a shift of theirs, whose UUID stands behind the id then. */
const searchOptions =
  (shift: string, messages: Messages) =>
  async (text: string): Promise<Option[]> => {
    const search = text.trim() || null;
    const { swaps: texts, myShifts } = messages;
    const { options } = await readData(SwapOptionsDocument, { shift, search });
    return options.nodes.map(({ databaseId, workShiftUuid, position, eventTitle, startTime, ...person }) => {
      const name = fullName(person);
      if (workShiftUuid === null) return { value: `${databaseId}`, label: name };
      const time = startTime === null ? myShifts.tbd : formatLocal(startTime, messages);
      const what = texts.shift(position ?? '', eventTitle ?? '', time);
      return { value: `${databaseId} ${workShiftUuid}`, label: texts.instead(name, what) };
    });
  };

/** Asks to swap a shift of the viewer, or to hand it over. */
export function AskSwapDialog({ shift, onClose }: { shift: OwnShift; onClose: () => void }) {
  const messages = useMessages();
  const { swaps: texts } = messages;
  const { write, fault, isPending } = useWrite(AskSwapDocument);
  const { values, field } = useFields({ who: null as Option | null, message: '' }, fault);
  const { who, message } = values;
  async function send() {
    const [toUserId, otherShiftId] = who?.value.split(' ') ?? [];
    const whom = otherShiftId ? { otherShiftId } : toUserId ? { toUserId } : {};
    const { data } = await write({ input: { shiftId: shift.uuid, message: message.trim() || null, ...whom } });
    if (!data) return;
    showToast({ text: texts.sent(who?.label ?? null) });
    onClose();
  }
  return (
    <FormDialog
      title={texts.askTitle(shift.event.title)}
      action={texts.send}
      fault={fault}
      isPending={isPending}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Combobox
        label={texts.who}
        hint={texts.whoHint}
        isOptional
        search={searchOptions(shift.uuid, messages)}
        {...field('who')}
        error={fault?.fields['toUserId'] ?? fault?.fields['otherShiftId']}
      />
      <LongTextField label={texts.message} isOptional {...field('message')} />
    </FormDialog>
  );
}
