import type { ComponentProps, ReactNode } from 'react';

/* What the tools of the playground are made of. */

type Button = Omit<ComponentProps<'button'>, 'type' | 'className'>;

/** A button among many. */
export const Quiet = (button: Button) => <button type="button" className="pg-quiet" {...button} />;

export const Slim = (button: Button) => <button type="button" className="cb-button app-slim" {...button} />;

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Value[];
  readonly onChange: (value: Value) => void;
}

export const Select = <Value extends string>({ label, value, options, onChange }: SelectProps<Value>) => (
  <label>
    {label}{' '}
    <select value={value} onChange={(event) => onChange(event.target.value as Value)}>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  </label>
);

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly placeholder?: string;
}

export const Search = ({ label, value, onChange, placeholder = 'Search' }: SearchProps) => (
  <input
    type="search"
    aria-label={label}
    placeholder={placeholder}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

/** The icon of a drawer, drawn in lines. */
export const drawIcon = (lines: ReactNode) => () => (
  <svg
    viewBox="0 0 20 20"
    width="18"
    height="18"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
  >
    {lines}
  </svg>
);
