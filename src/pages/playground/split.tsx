import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { localStore } from './stores.ts';

const storageKey = 'callboard:split';
const bounds = { min: 20, max: 75 };
const within = (share: number): number => Math.min(bounds.max, Math.max(bounds.min, Math.round(share)));

/** Two panes with a separator that can be dragged or moved with the arrow keys. */
export function Split({ first, second }: { first: ReactNode; second: ReactNode }) {
  const [share, setShare] = useState(() => within(Number(localStore.getItem(storageKey) ?? 36)));
  const ref = useRef<HTMLDivElement>(null);

  const move = (next: number): void => {
    setShare(within(next));
    localStore.setItem(storageKey, String(within(next)));
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !ref.current) return;
    const { left, width } = ref.current.getBoundingClientRect();
    move(((event.clientX - left) / width) * 100);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -4, ArrowRight: 4 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(share + step);
  };

  return (
    <div className="pg-split" ref={ref} style={{ ['--share' as string]: `${share}%` }}>
      {first}
      <div
        className="pg-bar"
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label="Width of the query"
        aria-valuenow={share}
        aria-valuemin={bounds.min}
        aria-valuemax={bounds.max}
        onKeyDown={press}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
      />
      {second}
    </div>
  );
}
