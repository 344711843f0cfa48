import { useMessages } from '../messages/messages.ts';
import { changeAddress, type Address, type Show } from './address.ts';
import { fillPercent } from './lanes.ts';
import type { Audience } from './model.ts';
import { mostConflicts } from './reading.ts';
import type { Figures } from './view.ts';

interface FigureRowProps {
  readonly figures: Figures;
  readonly address: Address;
  readonly role: Audience;
}

/** The figures above the events. Each is a filter; the number of events takes the filter off. */
export function FigureRow({ figures: { coverage, clashes, events }, address, role }: FigureRowProps) {
  const { figures: texts } = useMessages().board;
  const { open, waiting, surplus } = coverage;
  const percent = fillPercent(coverage);
  const figure = (show: Show | null, value: number | string, name: string, isWarning = false) => (
    <button
      type="button"
      className={`bd-figure${isWarning ? ' bd-warning' : ''}`}
      aria-pressed={show === null ? undefined : address.show === show}
      onClick={() => changeAddress({ show: address.show === show ? null : show })}
    >
      <strong>{value}</strong> <span>{name}</span>
    </button>
  );
  const isStaff = role === 'STAFF';
  return (
    <div className="bd-figures" role="group" aria-label={texts.label}>
      {!isStaff && figure('open', open, texts.open(open), open > 0)}
      {figure('waiting', waiting, isStaff ? texts.waitingForYou : texts.waiting)}
      {!isStaff && figure('filled', percent === null ? '–' : `${percent} %`, texts.filled(surplus), surplus > 0)}
      {role === 'ADMIN' &&
        figure('clashes', clashes >= mostConflicts ? `${clashes}+` : clashes, texts.clashes(clashes), clashes > 0)}
      {figure(null, events, texts.events(events))}
    </div>
  );
}
