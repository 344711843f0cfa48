import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';

export interface Drop {
  /** UUID of the shift that was dragged. */
  readonly shift: string;
  /** UUID of the call time that it was dropped on. */
  readonly call: string;
  /** UUID of the shift that it was dropped on; null if on none. */
  readonly other: string | null;
}

/** Where somebody in `root` would go to from their shift: onto a shift or a call time, but not their own. */
function findTarget(root: Element, source: Element, at: Element | null): HTMLElement | null {
  const target = at?.closest<HTMLElement>('[data-shift], [data-call]');
  const call = target?.closest('[data-call]');
  return target && call && root.contains(target) && call !== source.closest('[data-call]') ? target : null;
}

const toDrop = (source: HTMLElement, target: HTMLElement): Drop => ({
  shift: source.dataset['shift']!,
  call: target.closest<HTMLElement>('[data-call]')!.dataset['call']!,
  other: target.dataset['shift'] ?? null,
});

/** Lets the people in `root` be dragged to call times and onto each other. Returns what ends it. */
export function watchDrags(root: HTMLElement, onDrop: (drop: Drop) => void): () => void {
  const known = new WeakSet<Element>();
  const ends: (() => void)[] = [];
  const find = (source: Element, { clientX, clientY }: { clientX: number; clientY: number }) =>
    findTarget(root, source, document.elementFromPoint(clientX, clientY));
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
  root.addEventListener('pointerdown', arm);
  ends.push(
    () => root.removeEventListener('pointerover', arm),
    () => root.removeEventListener('pointerdown', arm),
    dropTargetForElements({
      element: root,
      onDrag: ({ source, location }) => mark(find(source.element, location.current.input)),
      onDragLeave: () => mark(null),
      onDrop: ({ source, location }) => {
        const target = find(source.element, location.current.input);
        mark(null);
        if (target) onDrop(toDrop(source.element, target));
      },
    }),
  );
  return () => ends.forEach((end) => end());
}

/** What happens to somebody who is carried: `over` and `off` say whether they can be dropped where the focus is. */
export type Carrying = 'picked' | 'over' | 'off' | 'cancelled' | 'dropped';

/** Lets the person with the focus be picked up by M, carried by moving the focus, and dropped by Enter. Returns what ends it. */
export function watchKeys(
  root: HTMLElement,
  onDrop: (drop: Drop) => void,
  onCarry: (state: Carrying, name: string) => void,
): () => void {
  let carried: HTMLElement | null = null;
  const tell = (state: Carrying) => onCarry(state, carried?.dataset['name'] ?? '');
  const end = (state: Carrying) => {
    tell(state);
    carried?.classList.remove('st-carried');
    carried = null;
  };
  const onKey = (event: KeyboardEvent) => {
    const at = event.target as HTMLElement;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isDrop = event.key === 'Enter' || event.key.toLowerCase() === 'm';
    if (carried && !carried.isConnected) end('cancelled');
    if (!carried) {
      if (event.key.toLowerCase() !== 'm' || !at.dataset['shift']) return;
      carried = at;
      at.classList.add('st-carried');
      return tell('picked');
    }
    if (event.key !== 'Escape' && !isDrop) return;
    event.preventDefault();
    const target = findTarget(root, carried, at);
    if (event.key === 'Escape') {
      carried.focus();
      return end('cancelled');
    }
    if (!target) return tell('off');
    const drop = toDrop(carried, target);
    end('dropped');
    onDrop(drop);
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (carried && target !== carried) tell(findTarget(root, carried, target as Element) ? 'over' : 'off');
  };
  root.addEventListener('keydown', onKey);
  root.addEventListener('focusin', onFocus);
  return () => {
    root.removeEventListener('keydown', onKey);
    root.removeEventListener('focusin', onFocus);
  };
}
