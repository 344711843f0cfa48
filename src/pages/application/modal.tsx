import { useEffect, useRef, type ReactNode } from 'react';
import { useMessages } from '../console/messages/messages.ts';
import { LogInBox } from './log-in.tsx';

interface ModalProps {
  readonly title: string;
  /** Without it, Escape does not close. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** A modal dialog on any page, open as long as it is rendered. */
export function Modal({ title, onClose, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className="app-dialog cb-page"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

/** Shown when the credential ends while the user works; the work stays visible behind the dialog. */
export function LoggedOutDialog({ notice, email }: { notice: string | null; email: string }) {
  const { session: texts } = useMessages();
  return (
    <Modal title={texts.again}>
      <LogInBox notice={notice} email={email} />
    </Modal>
  );
}
