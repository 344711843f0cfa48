import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';

interface OrderProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  /** Whether an earlier move is still being saved. */
  readonly isBusy?: boolean;
  readonly onMove: (from: number, to: number) => void;
  readonly renderItem: (item: Item, index: number) => ReactNode;
}

/** A list that is put in order by drag, or by the buttons of each row. */
export function OrderedList<Item>({
  label,
  items,
  keyOf,
  nameOf,
  isBusy = false,
  onMove,
  renderItem,
}: OrderProps<Item>) {
  const { settings } = useMessages();
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  /** The button that has moved a row, which has the focus where the row is then. */
  const pressed = useRef<{ readonly key: string; readonly by: number } | null>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!pressed.current) return;
    const { key, by } = pressed.current;
    pressed.current = null;
    list.current?.querySelector<HTMLElement>(`[data-move="${by} ${CSS.escape(key)}"]`)?.focus();
  });
  const move = (from: number, to: number) => {
    const item = items[from];
    if (isBusy || item === undefined || to < 0 || to >= items.length || to === from) return;
    setSaid(settings.movedTo(nameOf(item), to + 1, items.length));
    onMove(from, to);
  };
  return (
    <>
      <ul className="cs-order" aria-label={label} ref={list}>
        {items.map((item, index) => (
          <Row key={keyOf(item)} list={id} index={index} onDrop={(from) => move(from, index)}>
            <div>{renderItem(item, index)}</div>
            <div className="cs-row-actions">
              {([-1, 1] as const).map((by) => (
                <Button
                  key={by}
                  look="quiet"
                  isBusy={isBusy}
                  data-move={`${by} ${keyOf(item)}`}
                  aria-label={(by < 0 ? settings.moveUp : settings.moveDown)(nameOf(item))}
                  onClick={() => {
                    pressed.current = { key: keyOf(item), by };
                    move(index, index + by);
                  }}
                >
                  <span aria-hidden="true">{by < 0 ? '↑' : '↓'}</span>
                </Button>
              ))}
            </div>
          </Row>
        ))}
      </ul>
      <p role="status" className="app-hidden">
        {said}
      </p>
    </>
  );
}

interface RowProps {
  /** Tells lists apart: a row is dropped in its own only. */
  readonly list: string;
  readonly index: number;
  readonly onDrop: (from: number) => void;
  readonly children: ReactNode;
}

function Row({ list, index, onDrop, children }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLSpanElement>(null);
  const drop = useRef(onDrop);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    drop.current = onDrop;
  }, [onDrop]);
  useEffect(() => {
    const [element, dragHandle] = [row.current!, handle.current!];
    return combine(
      draggable({ element, dragHandle, getInitialData: () => ({ list, index }) }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.list === list,
        onDragEnter: () => setIsOver(true),
        onDragLeave: () => setIsOver(false),
        onDrop: ({ source }) => {
          setIsOver(false);
          drop.current(source.data.index as number);
        },
      }),
    );
  }, [list, index]);
  return (
    <li ref={row} data-over={isOver}>
      <span ref={handle} className="cs-handle" aria-hidden="true">
        ⠿
      </span>
      {children}
    </li>
  );
}

/** A copy of a list in which one item has moved. */
export const moved = <Item,>(items: readonly Item[], from: number, to: number): Item[] => {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, items[from]!);
};
