import { CalendarClientDocument } from '../../../generated/pages/console/events.ts';
import { useState } from 'react';
import { useRead } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Combobox } from '../parts/combobox.tsx';
import { CheckField, SelectField } from '../parts/fields.tsx';
import { SearchField } from '../parts/search-field.tsx';
import type { Address, EventStatus } from './address.ts';
import { searchClients } from '../parts/clients.ts';

interface FiltersProps {
  readonly address: Address;
  readonly change: (next: Partial<Address>) => void;
  readonly isAdmin: boolean;
}

export function Filters({ address, change, isAdmin }: FiltersProps) {
  const { events: texts } = useMessages();
  const { data } = useRead(address.client && isAdmin ? CalendarClientDocument : null, {
    id: address.client,
  });
  const isFiltered = address.text !== '' || address.status !== null || address.client !== null || address.isUnfilled;
  // On a phone, the events come first.
  const [isOpen, setIsOpen] = useState(() => !matchMedia('(max-width: 48rem)').matches);
  const { DRAFT: _, ...others } = texts.statuses;
  return (
    <search className="cal-filters" aria-label={texts.filters.label}>
      <SearchField label={texts.filters.text} value={address.text} onSearch={(text) => change({ text })} />
      <details open={isOpen || isFiltered} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>{texts.filters.label}</summary>
        <div>
          <SelectField
            label={texts.filters.status}
            value={(address.status ?? '') as EventStatus | ''}
            none={texts.filters.anyStatus}
            options={isAdmin ? texts.statuses : others}
            onChange={(status) => change({ status: status || null })}
          />
          {isAdmin && (
            <>
              <Combobox
                label={texts.filters.client}
                value={address.client ? { value: address.client, label: data?.user.name ?? '' } : null}
                search={searchClients}
                onChange={(client) => change({ client: client?.value ?? null })}
              />
              <CheckField
                label={texts.filters.unfilled}
                value={address.isUnfilled}
                onChange={(isUnfilled) => change({ isUnfilled })}
              />
            </>
          )}
          {isFiltered && (
            <Button look="quiet" onClick={() => change({ text: '', status: null, client: null, isUnfilled: false })}>
              {texts.filters.clear}
            </Button>
          )}
        </div>
      </details>
    </search>
  );
}
