import { AskDocument } from '../../../generated/pages/console/offers.ts';
import { useState } from 'react';
import { formatMinutes, formatMoment } from '../../time/zones.ts';
import { useWrite } from '../../application/data.ts';
import type { CallTime } from '../model/events.ts';
import { useMessages } from '../messages/messages.ts';
import { LongTextField, NumberField, SelectField } from '../parts/fields.tsx';
import { useFields } from '../parts/form.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import type { Judged } from '../changes/candidates.tsx';
import { listNames } from '../changes/steps.ts';

const answerHours = [1, 2, 4, 8, 24, 48, 72, 168];
const waveMinutes = ['15', '30', '60', '120', '240', '720', '1440'];

interface Props {
  readonly call: CallTime;
  readonly timezone: string;
  readonly people: readonly Judged[];
  readonly onSent: () => void;
  readonly onClose: () => void;
}

/** Offers the open places of a call time to people. */
export function AskDialog({ call, timezone, people, onSent, onClose }: Props) {
  const messages = useMessages();
  const { offers: texts } = messages;
  const { write, fault, isPending } = useWrite(AskDocument);
  const [nowMs] = useState(() => Date.now());
  const { values, field } = useFields(
    {
      ...{ message: '', expiresAt: call.startTimeTbd ? '24' : '', waveSize: '', waveMinutes: '60' },
      mode: 'FIRST_COME' as keyof typeof texts.modes,
    },
    fault,
  );
  const { message, expiresAt: hours, waveSize: size, mode } = values;
  const endOf = (after: number) => nowMs + after * 3_600_000;
  const names = (some: readonly Judged[]) =>
    listNames(
      some.map(({ person }) => person.name),
      messages,
    );
  const blocked = people.filter(({ clashes }) => clashes.length > 0);

  async function send() {
    const input = {
      userIds: people.map(({ person }) => person.id),
      mode,
      message: message.trim() || null,
      ...(hours && { expiresAt: new Date(endOf(Number(hours))).toISOString() }),
      ...(size.trim() && { waveSize: Number(size), waveMinutes: Number(values.waveMinutes) }),
    };
    const { data } = await write({ call: call.uuid, input });
    if (!data) return;
    const { recipients, waitingCount } = data.offer;
    const missing = people.length - recipients.length - waitingCount;
    const text = texts.sent(recipients.length, waitingCount);
    showToast({ text: missing > 0 ? `${text} ${texts.passedOver(missing)}` : text });
    onSent();
  }
  return (
    <FormDialog
      title={texts.askTitle(names(people))}
      action={texts.send}
      fault={fault}
      isPending={isPending}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      {blocked.length > 0 && <Notice look="warning">{texts.blocked(names(blocked))}</Notice>}
      <LongTextField label={texts.message} isOptional {...field('message')} />
      <SelectField
        label={texts.answerBy}
        {...field('expiresAt')}
        {...(!call.startTimeTbd && { none: texts.start })}
        options={
          new Map(
            answerHours
              .filter((each) => call.startTimeTbd || endOf(each) < Date.parse(call.startsAt))
              .map((each) => [
                String(each),
                texts.within(formatMinutes(each * 60, messages), formatMoment(endOf(each), timezone)),
              ]),
          )
        }
      />
      <SelectField label={texts.mode} options={texts.modes} {...field('mode')} />
      {people.length > 1 && (
        <NumberField label={texts.waveSize} hint={texts.waveSizeHint} isOptional {...field('waveSize')} />
      )}
      {size.trim() !== '' && (
        <SelectField
          label={texts.waveMinutes}
          options={new Map(waveMinutes.map((each) => [each, formatMinutes(Number(each), messages)]))}
          {...field('waveMinutes')}
        />
      )}
    </FormDialog>
  );
}
