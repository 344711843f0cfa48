import { useState } from 'react';
import { useMessages } from '../messages/messages.ts';
import type { Span } from '../../time/span.ts';
import { changeAddress, type Address } from './address.ts';
import { useChoices } from './choices.ts';
import { useMinute } from '../../time/clock.ts';
import type { Audience, BoardEvent } from './model.ts';
import { formatLocalDay, readZone, spanDays } from '../../time/span.ts';
import { listCities } from './view.ts';

interface BarProps {
  readonly address: Address;
  readonly events: readonly BoardEvent[];
  readonly role: Audience;
}

/** Span, filters and the kind of view. All of it stands in the address. */
export function Bar({ address, events, role }: BarProps) {
  const { board: texts } = useMessages();
  // On a phone the filters are folded away. Elsewhere they are always shown.
  const [isOpen, setIsOpen] = useState(false);
  const nowMs = useMinute();
  const isAdmin = role === 'ADMIN';
  const { span: chosen, day, client, city, position, text, show, isTable } = address;
  // The clients and positions of the events are enough until somebody is about to choose.
  const [isTouched, setIsTouched] = useState(false);
  const touch = () => setIsTouched(true);
  const { clients, positions } = useChoices(events, isAdmin && isTouched);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it hears the pointer and the focus of the controls in it
    <div className="bd-tools" role="group" aria-label={texts.shown} onPointerEnter={touch} onFocus={touch}>
      <fieldset className="app-segments">
        <legend className="app-hidden">{texts.span}</legend>
        {(Object.keys(spanDays) as Span[]).map((span) => (
          <label key={span}>
            <input
              type="radio"
              name="span"
              checked={chosen === span && (day === null || span !== 'today')}
              onChange={() => changeAddress({ span, day: span === 'today' ? null : day })}
            />
            {texts.spans[span]}
          </label>
        ))}
      </fieldset>
      <label className="bd-field">
        <span>{texts.from(readZone())}</span>
        <input
          type="date"
          value={day ?? formatLocalDay(nowMs)}
          onChange={({ target }) => changeAddress({ day: target.value || null })}
        />
      </label>
      <button
        type="button"
        className="cb-button app-slim bd-fold"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {texts.filters([client, city, position, text, show].filter(Boolean).length)}
      </button>
      <div className="bd-filters" data-open={isOpen}>
        <Choice name="client" values={[...clients.keys()]} value={client} isKept={isAdmin} />
        <Choice name="city" values={listCities(events)} value={city} />
        <Choice name="position" values={[...positions.keys()]} value={position} isKept={isAdmin} />
        <label className="bd-field bd-text">
          <span>{texts.search}</span>
          <input
            type="search"
            placeholder={texts.searchHint}
            value={text}
            maxLength={200}
            // Typing does not fill the history of the browser.
            onChange={({ target }) => changeAddress({ text: target.value }, 'replace')}
          />
        </label>
        {role !== 'STAFF' && (
          <Tick
            name={texts.gapsOnly}
            isTicked={show === 'open'}
            onTick={(isTicked) => changeAddress({ show: isTicked ? 'open' : null })}
          />
        )}
        <Tick name={texts.asTable} isTicked={isTable} onTick={(isTicked) => changeAddress({ isTable: isTicked })} />
      </div>
    </div>
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
  readonly name: 'client' | 'city' | 'position';
  readonly values: readonly string[];
  readonly value: string | null;
  /** Whether its place is kept for values that come after the board. */
  readonly isKept?: boolean;
}

/** Not shown where there is nothing to choose. A value of the address is offered although nothing has it at the moment. */
function Choice({ name, values, value, isKept = false }: ChoiceProps) {
  const { board: texts } = useMessages();
  if (values.length < 2 && value === null && !isKept) return null;
  return (
    <label className="bd-field">
      <span>{texts[name]}</span>
      <select value={value ?? ''} onChange={({ target }) => changeAddress({ [name]: target.value || null })}>
        <option value="">{texts.all}</option>
        {[...new Set([...(value === null ? [] : [value]), ...values])].map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}
