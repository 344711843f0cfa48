import { useMessages } from '../messages/messages.ts';
import { openPanel } from './address.ts';
import { describeShift } from './coverage.tsx';
import type { Lane } from './lanes.ts';
import { fullName, type BoardEvent } from './model.ts';
import { Tbd } from './times.tsx';
import { formatTime } from '../../time/zones.ts';

interface SheetProps {
  readonly event: BoardEvent;
  readonly lanes: readonly Lane[];
  readonly clashes: ReadonlySet<string>;
  readonly nowMs: number;
}

/** The call sheet of an event: what its time line says, as a table. It is also what is printed. */
export function SheetTable({ event, lanes, clashes, nowMs }: SheetProps) {
  const messages = useMessages();
  const { board: texts } = messages;
  return (
    <div className="bd-sheet">
      <table>
        <thead>
          <tr>
            {texts.sheet.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lanes.map(({ call, uuid, shifts, coverage, fromMs, toMs, isTbd }) => (
            <tr key={uuid}>
              <td className="bd-figures-cell">
                {formatTime(fromMs, event.timezone)}–{formatTime(toMs, event.timezone)} {isTbd && <Tbd />}
              </td>
              <th scope="row">
                <button
                  type="button"
                  className="bd-link"
                  aria-haspopup="dialog"
                  onClick={() => openPanel(event.uuid, call ? uuid : (shifts[0]?.uuid ?? null))}
                >
                  {call?.position.title ?? texts.noCall}
                </button>
              </th>
              <td>{call ? coverage.needed : '–'}</td>
              <td>{coverage.confirmed}</td>
              <td>{coverage.waiting}</td>
              <td className={coverage.open > 0 ? 'bd-missing' : ''}>{coverage.open}</td>
              <td>
                <ul className="bd-names">
                  {shifts.map((shift) => {
                    const { mark, word } = describeShift(
                      shift,
                      messages,
                      nowMs,
                      clashes.has(shift.uuid),
                      event.status === 'CANCELED',
                    );
                    return (
                      <li key={shift.uuid}>
                        <span aria-hidden="true">{mark}</span> {fullName(shift)}
                        <span className="app-hidden">, {word}</span>
                      </li>
                    );
                  })}
                  {Array.from({ length: Math.min(coverage.open, 20) }, (_, index) => (
                    <li key={index} className="bd-blank">
                      <span className="app-hidden">{texts.open(1)}</span>
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
