import {
  BusinessSettingsDocument,
  UpdateBusinessDocument,
  type BusinessSettingsQuery,
} from '../../../generated/pages/console/settings.ts';
import { rereadViewer } from '../../application/session.ts';
import { useRead, useWrite } from '../../application/data.ts';
import { nameWeekday, weekdays } from '../../time/dates.ts';
import { useMessages } from '../messages/messages.ts';
import { CheckField, NumberField, SelectField, TextField } from '../parts/fields.tsx';
import { bindFields, Form, useDraft } from '../parts/form.tsx';
import { Loaded } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';

type Stored = Omit<BusinessSettingsQuery['business'], 'reminderHours'>;

/** As an admin sees and types it: only others are not told whether a setting is on. */
type Business = { readonly [Name in keyof Stored]: true extends Stored[Name] ? boolean : Stored[Name] } & {
  readonly reminderHours: string;
};

const roundingSteps = ['5', '6', '10', '15'] as const;

export function BusinessSection() {
  const read = useRead(BusinessSettingsDocument);
  return (
    <Loaded read={read}>
      {({ business }) => (
        <BusinessForm stored={{ ...business, reminderHours: String(business.reminderHours ?? '') } as Business} />
      )}
    </Loaded>
  );
}

function BusinessForm({ stored }: { stored: Business }) {
  const { settings: texts, language } = useMessages();
  const { business } = texts;
  const draft = useDraft('business settings', stored);
  const { write, isPending, fault } = useWrite(UpdateBusinessDocument);
  const { values, change, discard } = draft;
  const field = bindFields(draft, fault);
  const zones = [...new Set([values.timezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted();
  const hoursField = (
    name: 'restHours' | 'weeklyHours' | 'dropDeadlineHours' | 'waitlistAutoHours' | 'overtimeAfterHours',
  ) => (
    <NumberField
      label={business[name]}
      hint={business[`${name}Hint`]}
      value={String(values[name] ?? '')}
      // What is no number goes to the service, whose words say what is wrong.
      onChange={(text) => change({ [name]: text.trim() === '' ? null : Number(text) })}
      error={fault?.fields[name]}
    />
  );
  const save = async () => {
    // What somebody else has changed meanwhile stays as it is.
    const input: Record<string, unknown> = Object.fromEntries(
      Object.entries(values).filter(([key, value]) => value !== stored[key as keyof Business]),
    );
    if ('reminderHours' in input)
      input['reminderHours'] = values.reminderHours
        .split(/[,;\s]+/)
        .filter(Boolean)
        .map(Number);
    if ((await write({ input })).fault) return;
    discard();
    await rereadViewer();
    showToast({ text: texts.saved });
  };
  return (
    <Form draft={draft} fault={fault} isPending={isPending} onSubmit={() => void save()}>
      <TextField label={texts.name} {...field('name')} />
      <SelectField
        label={business.timezone}
        hint={business.timezoneHint}
        options={Object.fromEntries(zones.map((zone) => [zone, zone.replaceAll('_', ' ')]))}
        {...field('timezone')}
      />
      <SelectField
        label={business.weekStart}
        options={Object.fromEntries(weekdays.map((day) => [day, nameWeekday(day, language)]))}
        {...field('weekStart')}
      />
      {hoursField('restHours')}
      {hoursField('weeklyHours')}
      <TextField label={business.reminderHours} hint={business.reminderHoursHint} {...field('reminderHours')} />
      {hoursField('dropDeadlineHours')}
      <CheckField label={business.adminsDrop} hint={business.adminsDropHint} {...field('adminsDrop')} />
      <CheckField label={business.approvesSwaps} hint={business.approvesSwapsHint} {...field('approvesSwaps')} />
      {hoursField('waitlistAutoHours')}
      <SelectField
        label={business.roundingMinutes}
        none={business.notRounded}
        options={new Map(roundingSteps.map((step) => [step, business.minutes(step)]))}
        value={String(values.roundingMinutes ?? '')}
        onChange={(step) => change({ roundingMinutes: step === '' ? null : Number(step) })}
      />
      <CheckField label={business.roundsInFavour} hint={business.roundsInFavourHint} {...field('roundsInFavour')} />
      {hoursField('overtimeAfterHours')}
      <CheckField label={business.printedCodes} hint={business.printedCodesHint} {...field('printedCodes')} />
      <CheckField label={business.alwaysTellsLate} hint={business.alwaysTellsLateHint} {...field('alwaysTellsLate')} />
      <CheckField
        label={business.uniqueResourceIds}
        hint={business.uniqueResourceIdsHint}
        {...field('uniqueResourceIds')}
      />
      <CheckField label={business.strictQueries} hint={business.strictQueriesHint} {...field('strictQueries')} />
    </Form>
  );
}
