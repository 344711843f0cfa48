import { useEffect, useState } from 'react';
import { useRead } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import type { Address } from './address.ts';
import type { EventStatus } from './data.ts';

/** Milliseconds after the last key before a search starts. */
const typingMs = 300;

const clientsQuery = 'query CalendarClients { users(role: CLIENT, first: 100) { nodes { id name } } }';

interface FiltersProps {
  readonly address: Address;
  readonly change: (next: Partial<Address>) => void;
  readonly isAdmin: boolean;
}

export function Filters({ address, change, isAdmin }: FiltersProps) {
  const { events: texts } = useMessages();
  const { data } = useRead<{ users: { nodes: { id: string; name: string }[] } }>(isAdmin ? clientsQuery : null);
  const isFiltered = address.text !== '' || address.status || address.client || address.isUnfilled;
  return (
    <search className="ev-filters" aria-label={texts.filters.label}>
      <SearchField label={texts.filters.text} value={address.text} onSearch={(text) => change({ text })} />
      <label>
        <span>{texts.filters.status}</span>
        <select
          value={address.status ?? ''}
          onChange={({ target }) => change({ status: (target.value || null) as EventStatus | null })}
        >
          <option value="">{texts.filters.anyStatus}</option>
          {Object.entries(texts.statuses)
            .filter(([status]) => isAdmin || status !== 'DRAFT')
            .map(([status, name]) => (
              <option key={status} value={status}>
                {name}
              </option>
            ))}
        </select>
      </label>
      {isAdmin && (
        <label>
          <span>{texts.filters.client}</span>
          <select value={address.client ?? ''} onChange={({ target }) => change({ client: target.value || null })}>
            <option value="">{texts.filters.anyClient}</option>
            {data?.users.nodes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {isAdmin && (
        <label className="ev-check">
          <input
            type="checkbox"
            checked={address.isUnfilled}
            onChange={({ target }) => change({ isUnfilled: target.checked })}
          />
          <span>{texts.filters.unfilled}</span>
        </label>
      )}
      {isFiltered && (
        <button
          type="button"
          className="cb-button app-slim"
          onClick={() => change({ text: '', status: null, client: null, isUnfilled: false })}
        >
          {texts.filters.clear}
        </button>
      )}
    </search>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** A field that searches once the typing pauses. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [draft, setDraft] = useState({ value, text: value });
  // The search was changed from elsewhere, such as by a link.
  if (draft.value !== value) setDraft({ value, text: value });
  useEffect(() => {
    if (draft.text.trim() === value) return;
    const timer = setTimeout(() => onSearch(draft.text.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [draft.text, value, onSearch]);
  return (
    <label>
      <span>{label}</span>
      <input
        type="search"
        maxLength={200}
        value={draft.text}
        onChange={({ target }) => setDraft({ value, text: target.value })}
      />
    </label>
  );
}
