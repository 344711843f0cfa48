import type { Coverage } from './lanes.ts';
import type { Shift } from './model.ts';

/** Three fills, each with a pattern of its own. The digits stand beside it, so it is hidden from screen readers. */
export const CoverageBar = ({ coverage: { confirmed, waiting, open } }: { coverage: Coverage }) => (
  <span className="bd-bar" aria-hidden="true">
    <i className="bd-fill-confirmed" style={{ flexGrow: confirmed }} />
    <i className="bd-fill-waiting" style={{ flexGrow: waiting }} />
    <i className="bd-fill-open" style={{ flexGrow: open }} />
  </span>
);

interface CoverageTextProps {
  readonly coverage: Coverage;
  /** Whether it has ended, so that nothing is open any more. */
  readonly isOver?: boolean;
}

export const CoverageText = ({
  coverage: { confirmed, waiting, open, surplus },
  isOver = false,
}: CoverageTextProps) => (
  <span className="bd-counts">
    {confirmed} confirmed
    {waiting > 0 && (
      <>
        {' '}
        · {waiting} {isOver ? 'not confirmed' : 'waiting'}
      </>
    )}
    {open > 0 && <> · {isOver ? `${open} not filled` : <strong>{open} open</strong>}</>}
    {surplus > 0 && <> · {surplus} too many</>}
  </span>
);

/** How a shift is told on the board: by a mark, in words, and by its look. */
export function describeShift({ confirmed, doubleBooked = false }: Shift, isClashing: boolean, isCanceled = false) {
  if (isCanceled) return { mark: '✕', word: 'the event is canceled', look: 'off' };
  const word = confirmed ? 'confirmed' : 'waiting to confirm';
  if (isClashing || doubleBooked) return { mark: '⚠', word: `double booking, ${word}`, look: 'clash' };
  return confirmed ? { mark: '✓', word, look: 'confirmed' } : { mark: '?', word, look: 'waiting' };
}
