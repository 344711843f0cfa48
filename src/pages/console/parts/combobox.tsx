import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useMessages } from '../messages/messages.ts';
import { Field, type FieldProps } from './field.tsx';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Tells options of one name apart. */
  readonly detail?: string;
}

interface ComboboxProps extends FieldProps<Option | null> {
  /** Finds options, at most a screenful. */
  readonly search: (text: string) => Promise<readonly Option[]>;
}

/** Milliseconds without a key before a search. */
const pauseMs = 150;

const isSameText = (one: string, other: string) =>
  one.trim().localeCompare(other.trim(), undefined, { sensitivity: 'base' }) === 0;

/** A field with suggestions that are searched for while one types: the ARIA pattern of an editable combobox with a list. */
export function Combobox({ value, onChange, search, ...field }: ComboboxProps) {
  const { parts } = useMessages();
  const list = useId();
  /** Null while nobody types. */
  const [typed, setTyped] = useState<string | null>(null);
  const [options, setOptions] = useState<readonly Option[] | 'searching' | 'failed'>([]);
  const [active, setActive] = useState(0);
  /** Whether the field was left with a text that is none of the options. It is kept, and said. */
  const [isLeft, setIsLeft] = useState(false);
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  }, [search]);
  useEffect(() => {
    if (typed === null) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      latest.current(typed).then(
        (found) => isCurrent && (setOptions(found), setActive(0)),
        () => isCurrent && setOptions('failed'),
      );
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [typed]);
  const found = typeof options === 'string' ? [] : options;
  const isOpen = typed !== null && !isLeft;
  const isUnclear = typed !== null && typed.trim() !== '';
  const open = (text: string) => {
    setTyped(text);
    setOptions('searching');
    setIsLeft(false);
  };
  const choose = (option: Option | undefined) => {
    if (option) onChange(option);
    setTyped(null);
  };
  /** Takes the one option that is called as the text says. */
  const leave = async () => {
    if (!isUnclear) return setTyped(null);
    const known = options === 'searching' ? await search(typed).catch(() => []) : found;
    const equal = known.filter(({ label }) => isSameText(label, typed));
    if (equal.length === 1) choose(equal[0]);
    else setIsLeft(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      if (!isOpen) open('');
      else if (found.length > 0) setActive((active + by + found.length) % found.length);
    } else if (isOpen && event.key === 'Enter') {
      event.preventDefault();
      choose(found[active]);
    } else if (isOpen && event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      setTyped(null);
    }
  };
  const status =
    options === 'searching'
      ? parts.searching
      : options === 'failed'
        ? parts.searchFailed
        : found.length === 0
          ? parts.noMatch
          : parts.matches(found.length);
  return (
    <div className="cs-combobox">
      <Field {...field} error={isLeft && isUnclear ? parts.notChosen(typed.trim()) : field.error}>
        {(control) => (
          <input
            {...control}
            type="text"
            role="combobox"
            autoComplete="off"
            aria-autocomplete="list"
            aria-expanded={isOpen && found.length > 0}
            aria-controls={isOpen && found.length > 0 ? list : undefined}
            aria-activedescendant={isOpen && found[active] ? `${list}-${active}` : undefined}
            value={typed ?? value?.label ?? ''}
            onChange={(event) => {
              if (event.target.value === '') onChange(null);
              open(event.target.value);
            }}
            onKeyDown={onKeyDown}
            data-unclear={isUnclear || undefined}
            onClick={() => !isOpen && open(typed ?? '')}
            onBlur={() => void leave()}
          />
        )}
      </Field>
      {isOpen && found.length > 0 && (
        <div id={list} role="listbox" aria-label={field.label} className="cs-list">
          {found.map((option, index) => (
            // The keys are heard by the field. A press keeps the focus there.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={option.value}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              {option.label}
              {option.detail && <span className="cs-hint">{option.detail}</span>}
            </div>
          ))}
        </div>
      )}
      <p role="status" className={isOpen && found.length === 0 ? 'cs-hint cs-status' : 'app-hidden'}>
        {isOpen && status}
      </p>
    </div>
  );
}
