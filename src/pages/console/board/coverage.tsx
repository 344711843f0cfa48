import { useMessages, type Messages } from '../messages/messages.ts';
import type { Coverage, Lane } from './lanes.ts';
import type { Shift } from './model.ts';
import { presenceMarks, presenceOf, type Presence } from '../../time/presence.ts';

/** Three fills, each with a pattern of its own. The digits stand beside it, so it is hidden from screen readers. */
export const CoverageBar = ({ coverage: { confirmed, waiting, open } }: { coverage: Coverage }) => (
  <span className="bd-bar" aria-hidden="true">
    <i className="bd-fill-confirmed" style={{ flexGrow: confirmed }} />
    <i className="bd-fill-waiting" style={{ flexGrow: waiting }} />
    <i className="bd-fill-open" style={{ flexGrow: open }} />
  </span>
);

/** `isOver`: it has ended, so that nothing is open any more. */
export function CoverageText({ coverage, isOver = false }: { coverage: Coverage; isOver?: boolean }) {
  const { board: texts } = useMessages();
  const { confirmed, waiting, open, surplus } = coverage;
  return (
    <span className="bd-counts">
      {texts.confirmed(confirmed)}
      {waiting > 0 && ` · ${isOver ? texts.unconfirmed(waiting) : texts.waiting(waiting)}`}
      {open > 0 && <> · {isOver ? texts.unfilled(open) : <strong>{texts.openPlaces(open)}</strong>}</>}
      {surplus > 0 && ` · ${texts.surplus(surplus)}`}
    </span>
  );
}

/** How many are there, once the day has begun for somebody. */
export function PresentText({ lanes, nowMs }: { lanes: readonly Lane[]; nowMs: number }) {
  const { board: texts } = useMessages();
  const presences = lanes.flatMap(({ shifts }) => shifts.map(({ attendance }) => presenceOf(attendance, nowMs)));
  if (presences.every((presence) => presence === null)) return null;
  const count = (which: Presence) => presences.filter((presence) => presence === which).length;
  const absent = (['late', 'missing'] as const).filter((which) => count(which) > 0);
  return (
    <span className="bd-present">
      {texts.present(count('here'))}
      {absent.map((which) => (
        <strong key={which}> · {texts.absent(count(which), texts.presence[which])}</strong>
      ))}
    </span>
  );
}

/** How a shift is told on the board: by a mark, in words, and by its look. */
export function describeShift(
  { confirmed, doubleBooked = false, attendance }: Shift,
  { board: { states, presence: words } }: Messages,
  nowMs: number,
  isClashing: boolean,
  isCanceled = false,
) {
  if (isCanceled) return { mark: '✕', word: states.off, look: 'off' };
  const presence = presenceOf(attendance, nowMs);
  if (presence) return { mark: presenceMarks[presence], word: words[presence], look: presence };
  const word = confirmed ? states.confirmed : states.waiting;
  if (isClashing || doubleBooked) return { mark: '⚠', word: states.clash(word), look: 'clash' };
  return confirmed ? { mark: '✓', word, look: 'confirmed' } : { mark: '?', word, look: 'waiting' };
}
