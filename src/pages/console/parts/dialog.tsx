import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';
import { Button } from './button.tsx';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons below, beside the one that closes; null where the content has them all. */
  readonly actions?: ReactNode;
  /** What the button that closes is called: by default `Cancel` beside others. */
  readonly close?: string;
  readonly isWide?: boolean;
}

/** A modal dialog, open as long as it is rendered. The focus returns to where it was, or to the heading if that is gone. */
export function Dialog({ title, onClose, children, actions, close, isWide = false }: DialogProps) {
  const { parts } = useMessages();
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const dialog = ref.current;
    if (!dialog?.open) dialog?.showModal();
    return () => {
      dialog?.close();
      queueMicrotask(() => returnFocus(opener));
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={`app-dialog cs-dialog${isWide ? ' cs-wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      {actions !== null && (
        <div className="cb-buttons cs-actions">
          {actions}
          <Button onClick={onClose}>{close ?? (actions ? parts.cancel : parts.close)}</Button>
        </div>
      )}
    </dialog>
  );
}

/** Gives the focus back to what had it; if that is gone, to the heading of the page. */
export function returnFocus(element: HTMLElement | null): void {
  if (element?.isConnected && element !== document.body) return element.focus();
  const heading = document.querySelector('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}
