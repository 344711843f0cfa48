import { useId, useState } from 'react';
import { pick, tryParseJSONC, useGraphiQL } from '@graphiql/react';
import type { Variables } from '../application/service.ts';
import {
  changeVariable,
  fromFieldText,
  listVariableFields,
  toFieldText,
  type FieldKind,
  type VariableField,
} from './variable-fields.ts';

/** A field for each variable of the operation; it reads and writes the JSON of the variables. */
export function VariableForm() {
  const { tabs, activeTabIndex, variableEditor, schema, operationName } = useGraphiQL(
    pick('tabs', 'activeTabIndex', 'variableEditor', 'schema', 'operationName'),
  );
  const tab = tabs[activeTabIndex];
  const fields = listVariableFields({ query: tab?.query ?? '', operationName }, schema ?? null);
  const variables = readVariables(tab?.variables ?? '');
  if (variables === null) return <p className="pg-form-note">The JSON is not valid. Correct it there first.</p>;
  if (fields.length === 0) return <p className="pg-form-note">This query has no variables.</p>;
  const change = (name: string, value: unknown): void => {
    const current = readVariables(variableEditor?.getValue() ?? '') ?? variables;
    variableEditor?.setValue(JSON.stringify(changeVariable(current, name, value), null, 2));
  };
  return (
    <div className="pg-form">
      {fields.map((field) => (
        <Field
          key={`${tab?.id} ${field.name} ${field.type}`}
          field={field}
          value={variables[field.name]}
          onChange={(value) => change(field.name, value)}
        />
      ))}
    </div>
  );
}

function readVariables(text: string): Variables | null {
  try {
    return (tryParseJSONC(text) as Variables | undefined) ?? {};
  } catch {
    return null;
  }
}

const inputTypes: Readonly<Partial<Record<FieldKind, string>>> = {
  number: 'number',
  date: 'date',
  moment: 'datetime-local',
};

interface FieldProps {
  readonly field: VariableField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Field({ field: { name, type, kind, isRequired, choices, defaultText }, value, onChange }: FieldProps) {
  const id = useId();
  // Text that is not a value yet, such as half of a JSON list, stands here only.
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? toFieldText(kind, value);
  const edit = (next: string): void => {
    try {
      onChange(fromFieldText(kind, next));
      setDraft(null);
    } catch {
      setDraft(next);
    }
  };
  const options = kind === 'boolean' ? ['true', 'false'] : choices;
  const shared = { id, required: isRequired, 'aria-describedby': `${id}-type`, 'aria-invalid': draft !== null };
  return (
    <div className="pg-form-field">
      <label htmlFor={id}>{name}</label>
      {options.length > 0 ? (
        <select {...shared} value={text} onChange={(event) => edit(event.target.value)}>
          <option value="">{defaultText === '' ? '(none)' : `(${defaultText})`}</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type={inputTypes[kind] ?? 'text'}
          step={kind === 'number' ? 'any' : undefined}
          placeholder={defaultText}
          value={text}
          autoComplete="off"
          onChange={(event) => edit(event.target.value)}
        />
      )}
      <small id={`${id}-type`}>
        {type}
        {kind === 'moment' && ', UTC'}
        {draft !== null && ': not valid JSON yet'}
      </small>
    </div>
  );
}
