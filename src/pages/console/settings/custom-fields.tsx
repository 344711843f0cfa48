import {
  CreateCustomFieldDocument,
  CustomFieldsDocument,
  DeleteCustomFieldDocument,
  UpdateCustomFieldDocument,
  type CustomFieldsQuery,
} from '../../../generated/pages/console/settings.ts';
import { useState } from 'react';
import { useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { CheckField, SelectField, TextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { Catalogue, RowActions, type ItemActions } from '../parts/catalogue.tsx';
import { OrderedList } from './order.tsx';

type CustomField = CustomFieldsQuery['items'][number];

/** An option as it is stored, and as it is to be called. */
interface EditedOption {
  readonly key: number;
  /** Null for a new one. */
  readonly stored: string | null;
  readonly name: string;
}

interface Values {
  readonly name: string;
  readonly type: CustomField['type'];
  readonly options: readonly EditedOption[];
  readonly dropValues: boolean;
}

/** Whether a stored option is gone, so that events may have values that are none. */
const isOptionRemoved = ({ type, options }: Values, field: CustomField | null): boolean =>
  type === 'SELECT' && (field?.options ?? []).some((each) => !options.some(({ stored }) => stored === each));

function inputOf(values: Values, field: CustomField | null, all: readonly CustomField[]): object {
  const { name, type, options, dropValues } = values;
  const typed = options
    .map((option) => ({ from: option.stored, to: option.name.trim() }))
    .filter(({ to }) => to !== '');
  const names = typed.map(({ to }) => to);
  const renamed = typed.filter(({ from, to }) => from !== null && from !== to);
  return {
    name,
    ...(field?.type !== type && { type }),
    ...(type === 'SELECT' && { options: names, ...(renamed.length > 0 && { replaceOptions: renamed }) }),
    ...(isOptionRemoved(values, field) && { dropValues }),
    ...(!field && { sort: Math.max(-1, ...all.map(({ sort }) => sort)) + 1 }),
  };
}

/** The fields that the business adds to its events, in the order of the form. */
export function CustomFieldsSection() {
  const { settings } = useMessages();
  const { customFields: texts } = settings;
  return (
    <Catalogue<CustomField, Values, CustomFieldsQuery>
      section="custom-fields"
      texts={texts}
      query={CustomFieldsDocument}
      itemsOf={({ items }) => items}
      create={CreateCustomFieldDocument}
      update={UpdateCustomFieldDocument}
      remove={DeleteCustomFieldDocument}
      nameOf={({ name }) => name}
      renderItems={(items, actionsOf) => <FieldList stored={items} actionsOf={actionsOf} />}
      valuesOf={(field) => ({
        name: field?.name ?? '',
        type: field?.type ?? 'TEXT',
        options: (field?.options ?? []).map((name, key) => ({ key, stored: name, name })),
        dropValues: false,
      })}
      inputOf={inputOf}
      renderFields={(bind, { values, change, fault }, field) => (
        <>
          <TextField label={settings.name} {...bind('name')} />
          <SelectField label={texts.type} options={texts.types} {...bind('type')} />
          {values.type === 'SELECT' && (
            <>
              <Options options={values.options} onChange={(options) => change({ options })} />
              {fault?.fields.options && <p className="cs-error">{fault.fields.options}</p>}
            </>
          )}
          {isOptionRemoved(values, field) && (
            <CheckField label={texts.dropValues} hint={texts.dropValuesHint} {...bind('dropValues')} />
          )}
        </>
      )}
    />
  );
}

interface FieldListProps {
  readonly stored: readonly CustomField[];
  readonly actionsOf: (field: CustomField) => ItemActions;
}

function FieldList({ stored, actionsOf }: FieldListProps) {
  const { settings } = useMessages();
  const { customFields } = settings;
  const { write, fault } = useWrite(UpdateCustomFieldDocument);
  /** The new order until it is read. */
  const [pending, setPending] = useState<readonly CustomField[] | null>(null);
  if (pending?.every(({ id }, index) => stored[index]?.id === id)) setPending(null);
  const order = async (fields: readonly CustomField[]) => {
    setPending(fields);
    for (const [sort, { id, version, sort: before }] of fields.entries())
      if (before !== sort && (await write({ id, version, input: { sort } })).fault) return setPending(null);
  };
  return (
    <>
      {fault && <Notice look="bad">{fault.message}</Notice>}
      <OrderedList
        label={settings.sections['custom-fields'].title}
        items={pending ?? stored}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        isBusy={pending !== null}
        onMove={(fields) => void order(fields)}
        renderItem={(field) => (
          <div className="cs-field-row">
            <span>
              <bdi>{field.name}</bdi>
              <span className="cs-hint">
                {customFields.types[field.type]}
                {field.type === 'SELECT' && `: ${field.options.join(', ')}`}
              </span>
            </span>
            <RowActions name={field.name} {...actionsOf(field)} />
          </div>
        )}
      />
    </>
  );
}

interface OptionsProps {
  readonly options: readonly EditedOption[];
  readonly onChange: (options: readonly EditedOption[]) => void;
}

function Options({ options, onChange }: OptionsProps) {
  const { settings } = useMessages();
  const { customFields } = settings;
  const add = () => {
    const key = Math.max(-1, ...options.map((option) => option.key)) + 1;
    onChange([...options, { key, stored: null, name: '' }]);
    // The new field is there after the next frame.
    requestAnimationFrame(() => document.getElementsByName(`option ${key}`)[0]?.focus());
  };
  return (
    <fieldset className="cs-set">
      <legend>{customFields.options}</legend>
      <OrderedList
        label={customFields.options}
        items={options}
        keyOf={({ key }) => String(key)}
        nameOf={({ name }) => name}
        onMove={onChange}
        renderItem={({ key, name }, index) => (
          <div className="cs-field-row">
            <TextField
              label={customFields.option(index + 1)}
              isLabelHidden
              name={`option ${key}`}
              value={name}
              onChange={(next) =>
                onChange(options.map((option) => (option.key === key ? { ...option, name: next } : option)))
              }
            />
            <Button
              look="quiet"
              aria-label={settings.deleteOf(name || customFields.option(index + 1))}
              onClick={() => {
                onChange(options.filter((option) => option.key !== key));
                document.getElementById('add-option')?.focus();
              }}
            >
              <span aria-hidden="true">✕</span>
            </Button>
          </div>
        )}
      />
      <div>
        <Button id="add-option" onClick={add}>
          {customFields.addOption}
        </Button>
      </div>
    </fieldset>
  );
}
