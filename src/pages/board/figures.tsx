import { changeAddress, type Address, type Show } from './address.ts';
import { fillPercent } from './lanes.ts';
import type { Audience } from './model.ts';
import { mostConflicts } from './reading.ts';
import type { Figures } from './view.ts';

interface FigureProps {
  readonly show: Show | null;
  readonly value: number | string;
  readonly name: string;
  readonly isWarning?: boolean;
  readonly address: Address;
}

/** The figures above the events. Each is a filter; the number of events takes the filter off. */
export function FigureRow({ figures, address, role }: { figures: Figures; address: Address; role: Audience }) {
  const { coverage, clashes, events } = figures;
  const percent = fillPercent(coverage);
  const { open, waiting, surplus } = coverage;
  return (
    <div className="bd-figures" role="group" aria-label="Figures, each a filter">
      {role !== 'STAFF' && (
        <Figure
          show="open"
          value={open}
          name={open === 1 ? 'open place' : 'open places'}
          isWarning={open > 0}
          address={address}
        />
      )}
      <Figure
        show="waiting"
        value={waiting}
        name={role === 'STAFF' ? 'waiting for your answer' : 'waiting to confirm'}
        address={address}
      />
      {role !== 'STAFF' && (
        <Figure
          show="filled"
          value={percent === null ? '–' : `${percent} %`}
          name={surplus > 0 ? `filled, ${surplus} too many` : 'filled'}
          isWarning={surplus > 0}
          address={address}
        />
      )}
      {role === 'ADMIN' && (
        <Figure
          show="clashes"
          value={clashes >= mostConflicts ? `${clashes}+` : clashes}
          name={clashes === 1 ? 'double booking' : 'double bookings'}
          isWarning={clashes > 0}
          address={address}
        />
      )}
      <Figure show={null} value={events} name={events === 1 ? 'event' : 'events'} address={address} />
    </div>
  );
}

const Figure = ({ show, value, name, isWarning = false, address }: FigureProps) => (
  <button
    type="button"
    className={`bd-figure${isWarning ? ' bd-warning' : ''}`}
    aria-pressed={show === null ? undefined : address.show === show}
    onClick={() => changeAddress({ show: address.show === show ? null : show })}
  >
    <strong>{value}</strong> <span>{name}</span>
  </button>
);
