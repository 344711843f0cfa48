import { useEffect, type RefObject } from 'react';

/*
 * A time line is one stop of the Tab key for each lane. The arrow keys move between lanes, and from a lane to its people; Enter
 * opens.
 */

/** Moves the focus to the first of these that is there, because what had it may be gone. */
export function focusOn(...selectors: string[]): void {
  const found = selectors.map((selector) => document.querySelector<HTMLElement>(selector));
  found.find((element) => element !== null)?.focus();
}

export function useArrowKeys(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const cards = ref.current;
    const move = (event: KeyboardEvent) => cards && moveByArrow(event, cards);
    cards?.addEventListener('keydown', move);
    return () => cards?.removeEventListener('keydown', move);
  }, [ref]);
}

function moveByArrow(event: KeyboardEvent, cards: HTMLElement): void {
  const from = event.target as HTMLElement;
  const lane = from.closest('.bd-lane');
  if (!lane || event.altKey || event.ctrlKey || event.metaKey) return;
  const next = findNext(event.key, from, lane, cards);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function findNext(key: string, from: HTMLElement, lane: Element, cards: HTMLElement): HTMLElement | undefined {
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const lanes = [...cards.querySelectorAll<HTMLElement>('.bd-name')];
    const index = lanes.indexOf(lane.querySelector<HTMLElement>('.bd-name')!);
    return lanes[index + (key === 'ArrowDown' ? 1 : -1)];
  }
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return undefined;
  const row = [...lane.querySelectorAll<HTMLElement>('.bd-name, .bd-chip')];
  return row[row.indexOf(from) + (key === 'ArrowRight' ? 1 : -1)];
}
