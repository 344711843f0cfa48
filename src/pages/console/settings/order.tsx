import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';

interface OrderProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  /** Whether an earlier move is still being saved. */
  readonly isBusy?: boolean;
  /** Gets all items in their new order. */
  readonly onMove: (items: readonly Item[]) => void;
  readonly renderItem: (item: Item, index: number) => ReactNode;
}

/** A list that is put in order by the buttons of each row. */
export function OrderedList<Item>(props: OrderProps<Item>) {
  const { label, items, keyOf, nameOf, isBusy = false, onMove, renderItem } = props;
  const { settings } = useMessages();
  const list = useRef<HTMLUListElement>(null);
  /** The button that has moved a row, which has the focus where the row is then. */
  const pressed = useRef<string | null>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (pressed.current) list.current?.querySelector<HTMLElement>(`[data-move="${pressed.current}"]`)?.focus();
    pressed.current = null;
  });
  const move = (item: Item, from: number, by: -1 | 1) => {
    const to = from + by;
    if (to < 0 || to >= items.length) return;
    pressed.current = `${by} ${CSS.escape(keyOf(item))}`;
    setSaid(settings.movedTo(nameOf(item), to + 1, items.length));
    onMove(items.toSpliced(from, 1).toSpliced(to, 0, item));
  };
  return (
    <>
      <ul className="cs-order" aria-label={label} ref={list}>
        {items.map((item, index) => (
          <li key={keyOf(item)}>
            <div>{renderItem(item, index)}</div>
            <div className="cs-row-actions">
              {([-1, 1] as const).map((by) => (
                <Button
                  key={by}
                  look="quiet"
                  isBusy={isBusy}
                  data-move={`${by} ${keyOf(item)}`}
                  aria-label={(by < 0 ? settings.moveUp : settings.moveDown)(nameOf(item))}
                  onClick={() => move(item, index, by)}
                >
                  <span aria-hidden="true">{by < 0 ? '↑' : '↓'}</span>
                </Button>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <p role="status" className="app-hidden">
        {said}
      </p>
    </>
  );
}
