import { useState } from 'react';
import { useRead, useWrite } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField, SelectField, TextField } from '../parts/fields.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { moved, OrderedList } from './order.tsx';
import { RemoveDialog } from './remove.tsx';

const document = `query CustomFields { customFieldDefinitions { id name type options sort version } }`;
const createMutation = `mutation CreateCustomField($idempotencyKey: String, $input: CreateCustomFieldInput!) {
  createCustomField(idempotencyKey: $idempotencyKey, input: $input) { id }
}`;
const updateMutation = `mutation UpdateCustomField($id: ID!, $version: Int, $input: UpdateCustomFieldInput!) {
  updateCustomField(id: $id, version: $version, input: $input) { id }
}`;
const deleteMutation = `mutation DeleteCustomField($id: ID!, $version: Int) {
  deleteCustomField(id: $id, version: $version, dropValues: true) { id }
}`;

const types = ['TEXT', 'MULTILINE', 'SELECT'] as const;

interface CustomField {
  readonly id: string;
  readonly name: string;
  readonly type: (typeof types)[number];
  readonly options: readonly string[];
  readonly sort: number;
  readonly version: number;
}

/** The fields that the business adds to its events, in the order of the form. */
export function CustomFieldsSection() {
  const { settings } = useMessages();
  const { customFields } = settings;
  const read = useRead<{ customFieldDefinitions: readonly CustomField[] }>(document);
  const [edited, setEdited] = useState<CustomField | 'new' | null>(null);
  const [removed, setRemoved] = useState<CustomField | null>(null);
  const add = (
    <Button look="primary" onClick={() => setEdited('new')}>
      {customFields.add}
    </Button>
  );
  return (
    <Loaded read={read}>
      {({ customFieldDefinitions: stored }) => (
        <>
          {stored.length === 0 ? (
            <Empty title={customFields.none} action={add}>
              {customFields.noneLead}
            </Empty>
          ) : (
            <>
              <div className="cb-buttons">{add}</div>
              <FieldList stored={stored} onEdit={setEdited} onRemove={setRemoved} />
            </>
          )}
          {edited && (
            <FieldDialog
              field={edited === 'new' ? null : edited}
              sort={Math.max(-1, ...stored.map(({ sort }) => sort)) + 1}
              onClose={() => setEdited(null)}
            />
          )}
          {removed && (
            <RemoveDialog
              name={removed.name}
              mutation={deleteMutation}
              variables={{ id: removed.id, version: removed.version }}
              lead={customFields.removeLead}
              onClose={() => setRemoved(null)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

interface FieldListProps {
  readonly stored: readonly CustomField[];
  readonly onEdit: (field: CustomField) => void;
  readonly onRemove: (field: CustomField) => void;
}

function FieldList({ stored, onEdit, onRemove }: FieldListProps) {
  const { settings } = useMessages();
  const { customFields } = settings;
  const { write, fault } = useWrite(updateMutation);
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
        onMove={(from, to) => void order(moved(stored, from, to))}
        renderItem={(field) => (
          <div className="cs-field-row">
            <span>
              <bdi>{field.name}</bdi>
              <span className="cs-hint">
                {customFields.types[field.type]}
                {field.type === 'SELECT' && `: ${field.options.join(', ')}`}
              </span>
            </span>
            <span className="cs-row-actions">
              <Button look="quiet" aria-label={settings.editOf(field.name)} onClick={() => onEdit(field)}>
                {settings.edit}
              </Button>
              <Button look="quiet" aria-label={settings.deleteOf(field.name)} onClick={() => onRemove(field)}>
                {settings.remove}
              </Button>
            </span>
          </div>
        )}
      />
    </>
  );
}

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

interface FieldDialogProps {
  readonly field: CustomField | null;
  /** Place of a new field. */
  readonly sort: number;
  readonly onClose: () => void;
}

function FieldDialog({ field, sort, onClose }: FieldDialogProps) {
  const { settings } = useMessages();
  const { customFields } = settings;
  const draft = useDraft<Values>(`custom field ${field?.id ?? 'new'}`, {
    name: field?.name ?? '',
    type: field?.type ?? 'TEXT',
    options: (field?.options ?? []).map((name, key) => ({ key, stored: name, name })),
    dropValues: false,
  });
  const { write, isPending, fault } = useWrite(field ? updateMutation : createMutation);
  const { values, change, discard } = draft;
  const { name, type, options, dropValues } = values;
  const isSelect = type === 'SELECT';
  const isRemoving = isSelect && field?.options.some((each) => !options.some(({ stored }) => stored === each));
  const save = async () => {
    const typed = options.filter((option) => option.name.trim() !== '');
    const names = typed.map((option) => option.name.trim());
    const replaceOptions = typed
      .map((option) => ({ from: option.stored, to: option.name.trim() }))
      .filter(({ from, to }) => from !== null && from !== to && !names.includes(from));
    const input = {
      name,
      ...((!field || field.type !== type) && { type }),
      ...(isSelect && { options: names }),
      ...(field && isSelect && replaceOptions.length > 0 && { replaceOptions }),
      ...(field && isRemoving && { dropValues }),
      ...(!field && { sort }),
    };
    if ((await write(field ? { id: field.id, version: field.version, input } : { input })).fault) return;
    discard();
    onClose();
    showToast({ text: settings.savedOf(name) });
  };
  return (
    <Dialog title={field ? settings.editOf(field.name) : customFields.add} onClose={onClose}>
      <Form draft={draft} fault={fault} isPending={isPending} onSubmit={() => void save()}>
        <TextField
          label={customFields.name}
          value={name}
          maxLength={200}
          onChange={(next) => change({ name: next })}
          error={fault?.fields.name}
        />
        <SelectField
          label={customFields.type}
          value={type}
          onChange={(next) => change({ type: next })}
          options={types.map((value) => ({ value, label: customFields.types[value] }))}
          error={fault?.fields.type}
        />
        {isSelect && <Options options={options} onChange={(next) => change({ options: next })} />}
        {isSelect && fault?.fields.options && <p className="cs-error">{fault.fields.options}</p>}
        {isRemoving && (
          <CheckField
            label={customFields.dropValues}
            hint={customFields.dropValuesHint}
            value={dropValues}
            onChange={(next) => change({ dropValues: next })}
          />
        )}
      </Form>
    </Dialog>
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
    requestAnimationFrame(() => window.document.getElementsByName(`option ${key}`)[0]?.focus());
  };
  return (
    <fieldset className="cs-set">
      <legend>{customFields.options}</legend>
      <OrderedList
        label={customFields.options}
        items={options}
        keyOf={({ key }) => String(key)}
        nameOf={({ name }) => name}
        onMove={(from, to) => onChange(moved(options, from, to))}
        renderItem={({ key, name }, index) => (
          <div className="cs-field-row">
            <TextField
              label={customFields.option(index + 1)}
              isLabelHidden
              name={`option ${key}`}
              value={name}
              maxLength={200}
              onChange={(next) =>
                onChange(options.map((option) => (option.key === key ? { ...option, name: next } : option)))
              }
            />
            <Button
              look="quiet"
              aria-label={settings.deleteOf(name || customFields.option(index + 1))}
              onClick={() => {
                onChange(options.filter((option) => option.key !== key));
                window.document.getElementById('add-option')?.focus();
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
