import { useEffect, useState } from 'react';
import type { FieldProps } from './field.tsx';
import { TextField } from './fields.tsx';

/** Milliseconds after the last key before a search starts. */
const typingMs = 300;

interface SearchFieldProps extends Omit<FieldProps, 'onChange'> {
  readonly onSearch: (text: string) => void;
}

/** A field that searches once the typing pauses. */
export function SearchField({ value, onSearch, ...field }: SearchFieldProps) {
  const [draft, setDraft] = useState({ value, text: value });
  // The search was changed from elsewhere, such as by a link.
  if (draft.value !== value) setDraft({ value, text: draft.text.trim() === value ? draft.text : value });
  useEffect(() => {
    if (draft.text.trim() === value) return;
    const timer = setTimeout(() => onSearch(draft.text.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [draft.text, value, onSearch]);
  const change = (text: string) => setDraft({ value, text });
  return <TextField {...field} type="search" maxLength={200} value={draft.text} onChange={change} />;
}
