import { useState, type ComponentProps } from 'react';
import { useMessages } from '../messages/messages.ts';
import { Field, type FieldProps } from './field.tsx';
import { readTime } from '../../time/typed.ts';

type TextProps = FieldProps &
  Pick<ComponentProps<'input'>, 'type' | 'autoComplete' | 'maxLength' | 'inputMode' | 'placeholder'>;

export const TextField = ({
  value,
  onChange,
  type,
  autoComplete,
  maxLength,
  inputMode,
  placeholder,
  ...field
}: TextProps) => (
  <Field {...field}>
    {(control) => (
      <input
        {...control}
        {...{ type: type ?? 'text', autoComplete: autoComplete ?? 'off', maxLength, inputMode, placeholder, value }}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

export const LongTextField = ({ value, onChange, ...field }: FieldProps) => (
  <Field {...field}>
    {(control) => <textarea {...control} rows={4} value={value} onChange={(event) => onChange(event.target.value)} />}
  </Field>
);

/** A number as a text, so that nothing that is typed gets lost. */
export const NumberField = (props: FieldProps) => <TextField {...props} inputMode="numeric" />;

/** An amount of money as a text with a point. */
export const MoneyField = ({ onChange, ...props }: FieldProps) => (
  <TextField {...props} inputMode="decimal" onChange={(text) => onChange(text.replace(',', '.'))} />
);

interface SelectProps<Value extends string> extends FieldProps<Value> {
  /** Labels by value. A map keeps its order also where values are numbers. */
  readonly options: Readonly<Partial<Record<NoInfer<Value>, string>>> | ReadonlyMap<string, string>;
  /** Label of the first option, which stands for none; its value is empty. */
  readonly none?: string;
}

export const SelectField = <Value extends string>({ value, onChange, options, none, ...field }: SelectProps<Value>) => (
  <Field {...field}>
    {(control) => (
      <select {...control} value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {none !== undefined && <option value="">{none}</option>}
        {[...(options instanceof Map ? options : Object.entries(options))].map(([each, label]) => (
          <option key={each} value={each}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

export const CheckField = ({ value, onChange, ...field }: FieldProps<boolean>) => (
  <div className="cs-check">
    <Field {...field}>
      {(control) => (
        <input {...control} type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      )}
    </Field>
  </div>
);

/** A day as `2026-11-26`; empty for none. */
export const DateField = ({ value, onChange, ...field }: FieldProps) => (
  <Field {...field}>
    {(control) => <input {...control} type="date" value={value} onChange={(event) => onChange(event.target.value)} />}
  </Field>
);

interface TimeProps extends FieldProps {
  /** Whether it may be empty, to be determined. */
  readonly isOpen?: boolean;
}

/** A time as `09:30`; empty while it is to be determined. A text that is no time is passed on as it is typed. */
export function TimeField({ value, onChange, isOpen = false, error, hint, ...field }: TimeProps) {
  const { parts } = useMessages();
  const [typed, setTyped] = useState<string | null>(null);
  const isFault = typed === null && value !== '' && readTime(value) === null;
  return (
    <Field
      {...field}
      hint={hint ?? (isOpen ? parts.timeHintOpen : parts.timeHint)}
      error={error ?? (isFault ? parts.timeFault(value) : null)}
    >
      {(control) => (
        <input
          {...control}
          type="text"
          autoComplete="off"
          className="cs-time"
          value={typed ?? value}
          onChange={(event) => {
            const text = event.target.value;
            setTyped(text);
            onChange(readTime(text) ?? text.trim());
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}
