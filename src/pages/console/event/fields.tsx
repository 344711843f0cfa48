import { Fragment } from 'react';
import type { Fault } from '../../application/data.ts';
import { searchClients } from '../parts/clients.ts';
import { useMessages } from '../messages/messages.ts';
import { Combobox } from '../parts/combobox.tsx';
import { DateField, LongTextField, SelectField, TextField, TimeField } from '../parts/fields.tsx';
import { listTexts, type Choices, type CustomField, type OptionalText } from '../model/events.ts';
import { findEndDay, findSpanFaults, moveToDay, type EventDraft } from './draft.ts';

/* The fields of an event, for the form of a new one and of one that is there. */

type Faults = Readonly<Record<string, string>>;

interface Props {
  readonly draft: EventDraft;
  readonly faults: Faults;
  readonly onChange: (change: Partial<EventDraft>) => void;
}

/** What is wrong with a form before it is sent; null if nothing is. */
export function useFaults(): (draft: EventDraft, faultyRows?: number) => Fault | null {
  const { faults } = useMessages().event;
  return (draft, faultyRows = 0) => {
    const spans = Object.entries(findSpanFaults(draft)).map(([name, fault]) => [name, faults[fault]]);
    const fields = {
      ...Object.fromEntries(spans),
      ...(draft.title.trim() === '' && { title: faults.title }),
    } as Faults;
    if (Object.keys(fields).length + faultyRows === 0) return null;
    const message = faultyRows > 0 ? faults.rows(faultyRows) : faults.form;
    return { code: 'VALIDATION_FAILED', message, fields, details: {} };
  };
}

/** The values of custom fields that differ, as the service takes them. */
export const toValues = (before: EventDraft, after: EventDraft, { customFieldDefinitions }: Choices) =>
  customFieldDefinitions
    .map(({ id, uuid }) => ({ fieldId: id, was: before.custom[uuid] ?? '', value: after.custom[uuid] ?? '' }))
    .filter(({ was, value }) => was !== value)
    .map(({ fieldId, value }) => ({ fieldId, value: value.trim() || null }));

/** Title, date and times: what every event needs. */
export function MainFields({ draft, faults, onChange }: Props) {
  const { fields, when } = useMessages().event;
  const time = (name: 'start' | 'end', hint: string) => (
    <TimeField
      label={when[name]}
      isOpen
      hint={hint}
      value={draft[name]}
      error={faults[name] ?? faults[`${name}Time`]}
      onChange={(text) => onChange({ [name]: text })}
    />
  );
  const day = (name: 'startDay' | 'endDay', value: string, change: (day: string) => Partial<EventDraft>) => (
    <DateField label={when[name]} value={value} error={faults[name]} onChange={(text) => onChange(change(text))} />
  );
  return (
    <>
      <TextField
        label={fields.title}
        name="title"
        value={draft.title}
        error={faults['title']}
        onChange={(title) => onChange({ title })}
      />
      <div className="ev-when">
        {day('startDay', draft.startDay, (startDay) => moveToDay(draft, startDay))}
        {time('start', when.timeHint)}
        {time('end', when.openHint)}
        {day('endDay', findEndDay(draft), (endDay) => ({ endDay }))}
      </div>
    </>
  );
}

const sections = ['place', 'people', 'more'] as const;

const longTexts: ReadonlySet<OptionalText> = new Set(['description', 'dressCode', 'privateNotes']);

/** All other fields. */
export function MoreFields({ draft, faults, onChange, custom }: Props & { readonly custom: readonly CustomField[] }) {
  const { event: texts } = useMessages();
  const own = custom.length > 0 && (
    <fieldset className="ev-section">
      <legend>{texts.sections.custom}</legend>
      {custom.map(({ uuid, name, type, options }) => {
        const field = {
          label: name,
          value: draft.custom[uuid] ?? '',
          error: faults[uuid],
          onChange: (text: string) => onChange({ custom: { ...draft.custom, [uuid]: text } }),
        };
        if (type === 'MULTILINE') return <LongTextField key={uuid} {...field} />;
        if (type === 'TEXT') return <TextField key={uuid} {...field} />;
        const choices = new Map(options.map((option) => [option, option]));
        return <SelectField key={uuid} {...field} none={texts.none} options={choices} />;
      })}
    </fieldset>
  );
  return (
    <div className="ev-sections">
      {sections.map((section) => (
        <Fragment key={section}>
          {section === 'more' && own}
          <fieldset className={`ev-section ev-${section}`}>
            <legend>{texts.sections[section]}</legend>
            {section === 'people' && (
              <Combobox
                label={texts.fields.client}
                isOptional
                value={draft.client && { value: draft.client.id, label: draft.client.name }}
                error={faults['clientId']}
                search={searchClients}
                onChange={(option) => onChange({ client: option && { id: option.value, name: option.label } })}
              />
            )}
            {listTexts(section).map((name) => {
              const Text = longTexts.has(name) ? LongTextField : TextField;
              return (
                <Text
                  key={name}
                  label={texts.fields[name]}
                  value={draft[name]}
                  error={faults[name]}
                  onChange={(text) => onChange({ [name]: text })}
                />
              );
            })}
            {section === 'more' && (
              <Combobox
                label={texts.when.timezone}
                value={{ value: draft.timezone, label: draft.timezone }}
                error={faults['timezone']}
                search={searchZones}
                onChange={(option) => option && onChange({ timezone: option.value })}
              />
            )}
          </fieldset>
        </Fragment>
      ))}
    </div>
  );
}

/** Zones by any part of their name, such as `new york`. */
function searchZones(text: string) {
  const wanted = text.toLowerCase().replaceAll(' ', '_');
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.toLowerCase().includes(wanted));
  return Promise.resolve(zones.slice(0, 20).map((zone) => ({ value: zone, label: zone })));
}
