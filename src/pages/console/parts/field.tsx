import { useId, type ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';

/** What all fields have. */
export interface FieldProps<Value = string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly hint?: string | undefined;
  /** What is wrong with the value. */
  readonly error?: string | null | undefined;
  readonly isOptional?: boolean;
  readonly isDisabled?: boolean;
  /** Name by which a form finds the field of an error. */
  readonly name?: string;
  /** Shows the label to screen readers only, as in the cell of a table whose column names it. */
  readonly isLabelHidden?: boolean;
}

interface ControlProps {
  readonly id: string;
  readonly name?: string | undefined;
  readonly disabled: boolean;
  readonly 'aria-invalid'?: true | undefined;
  readonly 'aria-describedby'?: string | undefined;
}

type FrameProps = Omit<FieldProps<unknown>, 'value' | 'onChange'> & {
  readonly children: (control: ControlProps) => ReactNode;
};

/** Ties label, hint and error to the control that `children` makes. */
export function Field({ label, hint, error, isOptional, isDisabled, name, isLabelHidden, children }: FrameProps) {
  const { parts } = useMessages();
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="cs-field">
      <label htmlFor={id} className={isLabelHidden ? 'app-hidden' : undefined}>
        {label}
        {isOptional && <span className="cs-optional"> {parts.optional}</span>}
      </label>
      {children({
        id,
        name,
        disabled: isDisabled ?? false,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {hint && (
        <span id={`${id}-hint`} className={isLabelHidden ? 'app-hidden' : 'cs-hint'}>
          {hint}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className="cs-error">
          {error}
        </span>
      )}
    </div>
  );
}
