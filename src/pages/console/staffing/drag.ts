import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';

export interface Drop {
  /** UUID of the shift that was dragged. */
  readonly shift: string;
  /** UUID of the call time that it was dropped on. */
  readonly call: string;
  /** UUID of the shift that it was dropped on; null if on none. */
  readonly other: string | null;
}

/** Where something in `root` would go to from one of its shifts: onto a shift or a call time, but not of its own call time. */
export function findTarget(root: Element, source: Element, at: Element | null): HTMLElement | null {
  const target = at?.closest<HTMLElement>('[data-shift], [data-call]');
  const call = target?.closest('[data-call]');
  return target && call && root.contains(target) && call !== source.closest('[data-call]') ? target : null;
}

export const toDrop = (source: HTMLElement, target: HTMLElement): Drop => ({
  shift: source.dataset['shift']!,
  call: target.closest<HTMLElement>('[data-call]')!.dataset['call']!,
  other: target.dataset['shift'] ?? null,
});

/** Lets the people in `root` be dragged to call times and onto each other. Returns what ends it. */
export function watchDrags(root: HTMLElement, onDrop: (drop: Drop) => void): () => void {
  const known = new WeakSet<Element>();
  const ends: (() => void)[] = [];
  let over: HTMLElement | null = null;
  const mark = (next: HTMLElement | null) => {
    over?.classList.remove('st-over');
    next?.classList.add('st-over');
    over = next;
  };
  // There can be thousands of people, so that each can be dragged from when the pointer is on them.
  const arm = ({ target }: Event) => {
    const element = (target as Element).closest<HTMLElement>('[data-shift]');
    if (!element || known.has(element)) return;
    known.add(element);
    ends.push(draggable({ element }));
  };
  root.addEventListener('pointerover', arm);
  ends.push(
    () => root.removeEventListener('pointerover', arm),
    dropTargetForElements({
      element: root,
      onDrag: ({ source, location }) => {
        const { clientX, clientY } = location.current.input;
        mark(findTarget(root, source.element, document.elementFromPoint(clientX, clientY)));
      },
      onDragLeave: () => mark(null),
      onDrop: ({ source }) => {
        const target = over;
        mark(null);
        if (target) onDrop(toDrop(source.element, target));
      },
    }),
  );
  return () => ends.forEach((end) => end());
}
