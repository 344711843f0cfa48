import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';

export interface Drop {
  /** UUID of the shift that was dragged. */
  readonly shift: string;
  /** UUID of the call time that it was dropped on. */
  readonly call: string;
  /** UUID of the shift that it was dropped on; null if on none. */
  readonly other: string | null;
}

/** Lets the people in `root` be dragged to call times and onto each other. Returns what ends it. */
export function watchDrags(root: HTMLElement, onDrop: (drop: Drop) => void): () => void {
  const shifts = [...root.querySelectorAll<HTMLElement>('[data-shift]')];
  const calls = [...root.querySelectorAll<HTMLElement>('[data-call]')];
  const mark = (element: HTMLElement, isOver: boolean) => element.classList.toggle('st-over', isOver);
  const accept = (element: HTMLElement, data: Readonly<Record<string, string | undefined>>) =>
    dropTargetForElements({
      element,
      getData: () => data,
      canDrop: ({ source }) => source.element.closest('[data-call]') !== element.closest('[data-call]'),
      onDragEnter: () => mark(element, true),
      onDragLeave: () => mark(element, false),
      onDrop: () => mark(element, false),
    });
  return combine(
    ...shifts.map((element) => draggable({ element, getInitialData: () => ({ shift: element.dataset['shift'] }) })),
    ...shifts.map((element) => accept(element, { other: element.dataset['shift'] })),
    ...calls.map((element) => accept(element, { call: element.dataset['call'] })),
    monitorForElements({
      onDrop: ({ source, location }) => {
        const found = Object.assign({}, ...location.current.dropTargets.map(({ data }) => data)) as Partial<Drop>;
        const { shift } = source.data;
        if (typeof shift === 'string' && found.call) onDrop({ shift, call: found.call, other: found.other ?? null });
      },
    }),
  );
}
