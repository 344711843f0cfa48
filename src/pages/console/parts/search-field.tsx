import { useEffect, useState } from 'react';
import { TextField } from './fields.tsx';

/** Milliseconds after the last key before a search starts. */
const typingMs = 300;

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** A field that searches once the typing pauses. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [draft, setDraft] = useState({ value, text: value });
  // The search was changed from elsewhere, such as by a link.
  if (draft.value !== value) setDraft({ value, text: draft.text.trim() === value ? draft.text : value });
  useEffect(() => {
    if (draft.text.trim() === value) return;
    const timer = setTimeout(() => onSearch(draft.text.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [draft.text, value, onSearch]);
  return (
    <TextField
      label={label}
      type="search"
      maxLength={200}
      value={draft.text}
      onChange={(text) => setDraft({ value, text })}
    />
  );
}
