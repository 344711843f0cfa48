import { useId, useRef, type KeyboardEvent } from 'react';

interface MenuProps {
  readonly label: string;
  readonly items: readonly { readonly label: string; readonly onSelect: () => void; readonly isDanger?: boolean }[];
}

/** A button that opens a list of actions. Arrow keys, Home and End move in it; Escape closes it and gives the focus back. */
export function Menu({ label, items }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const choices = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const place = () => {
    const at = button.current!.getBoundingClientRect();
    const box = list.current!;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
    const isAbove = at.bottom + box.offsetHeight + 8 > innerHeight && at.top > box.offsetHeight;
    box.style.top = `${isAbove ? at.top - box.offsetHeight - 4 : at.bottom + 4}px`;
  };
  /** Called by the key that opens the list, too, because the event of its opening comes later than the next key. */
  const enter = () => {
    place();
    if (!list.current?.contains(document.activeElement)) choices()[0]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = choices();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Tab') list.current?.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  };
  return (
    <>
      <button
        type="button"
        className="cb-button cs-button"
        ref={button}
        popoverTarget={id}
        aria-haspopup="menu"
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          if (!list.current?.matches(':popover-open')) list.current?.showPopover();
          enter();
        }}
      >
        {label} <span aria-hidden="true">▾</span>
      </button>
      <div
        id={id}
        ref={list}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        className="cs-list"
        onKeyDown={onKeyDown}
        onToggle={(event) => event.newState === 'open' && enter()}
      >
        {items.map(({ label: name, onSelect, isDanger }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={isDanger ? 'cs-danger-item' : undefined}
            onClick={() => {
              list.current?.hidePopover();
              button.current?.focus();
              onSelect();
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  );
}
