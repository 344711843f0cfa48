import { useState } from 'react';
import { changeAddress, type Address, type Span } from './address.ts';
import { useChoices } from './choices.ts';
import { useMinute } from './clock.ts';
import type { Audience, BoardEvent } from './model.ts';
import { formatLocalDay, readZone } from './span.ts';
import { listCities } from './view.ts';

const spans: readonly (readonly [Span, string])[] = [
  ['today', 'Today'],
  ['3days', '3 days'],
  ['week', 'Week'],
];

interface BarProps {
  readonly address: Address;
  readonly events: readonly BoardEvent[];
  readonly role: Audience;
}

/** Span, filters and the kind of view. All of it stands in the address. */
export function Bar({ address, events, role }: BarProps) {
  // On a phone the filters are folded away. Elsewhere they are always shown.
  const [isOpen, setIsOpen] = useState(false);
  const { client, city, position, text, show } = address;
  const used = [client, city, position, text, show].filter(Boolean).length;
  return (
    <div className="bd-tools" role="group" aria-label="What is shown">
      <SpanChoice address={address} />
      <button
        type="button"
        className="cb-button app-slim bd-fold"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        Filters{used > 0 && ` (${used})`}
      </button>
      <div className="bd-filters" data-open={isOpen}>
        <Filters address={address} events={events} role={role} />
      </div>
    </div>
  );
}

function SpanChoice({ address }: { address: Address }) {
  const nowMs = useMinute();
  return (
    <>
      <fieldset className="app-segments">
        <legend className="app-hidden">Span</legend>
        {spans.map(([span, name]) => (
          <label key={span}>
            <input
              type="radio"
              name="span"
              checked={address.span === span && (address.day === null || span !== 'today')}
              onChange={() => changeAddress({ span, day: span === 'today' ? null : address.day })}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <label className="bd-field">
        <span>From, by the clocks of {readZone()}</span>
        <input
          type="date"
          value={address.day ?? formatLocalDay(nowMs)}
          onChange={({ target }) => changeAddress({ day: target.value === '' ? null : target.value })}
        />
      </label>
    </>
  );
}

function Filters({ address, events, role }: BarProps) {
  const { clients, positions } = useChoices(events, role === 'ADMIN');
  return (
    <>
      <Choice
        name="Client"
        values={[...clients.keys()]}
        value={address.client}
        onChoose={(client) => changeAddress({ client })}
      />
      <Choice
        name="City"
        values={listCities(events)}
        value={address.city}
        onChoose={(city) => changeAddress({ city })}
      />
      <Choice
        name="Position"
        values={[...positions.keys()]}
        value={address.position}
        onChoose={(position) => changeAddress({ position })}
      />
      <TextFilter text={address.text} />
      {role !== 'STAFF' && (
        <Tick
          name="Only with gaps"
          isTicked={address.show === 'open'}
          onTick={(isTicked) => changeAddress({ show: isTicked ? 'open' : null })}
        />
      )}
      <Tick name="As a table" isTicked={address.isTable} onTick={(isTable) => changeAddress({ isTable })} />
    </>
  );
}

interface TickProps {
  readonly name: string;
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
}

const Tick = ({ name, isTicked, onTick }: TickProps) => (
  <label className="bd-check">
    <input type="checkbox" checked={isTicked} onChange={({ target }) => onTick(target.checked)} />
    {name}
  </label>
);

interface ChoiceProps {
  readonly name: string;
  readonly values: readonly string[];
  readonly value: string | null;
  readonly onChoose: (value: string | null) => void;
}

/** Not shown where there is nothing to choose. A value of the address is offered although nothing has it at the moment. */
function Choice({ name, values, value, onChoose }: ChoiceProps) {
  if (values.length < 2 && value === null) return null;
  const all = value === null || values.includes(value) ? values : [value, ...values];
  return (
    <label className="bd-field">
      <span>{name}</span>
      <select value={value ?? ''} onChange={({ target }) => onChoose(target.value === '' ? null : target.value)}>
        <option value="">All</option>
        {all.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}

/** Typing does not fill the history of the browser. */
const TextFilter = ({ text }: { text: string }) => (
  <label className="bd-field bd-text">
    <span>Search</span>
    <input
      type="search"
      placeholder="Title, venue, city"
      value={text}
      maxLength={200}
      onChange={({ target }) => changeAddress({ text: target.value }, 'replace')}
    />
  </label>
);
