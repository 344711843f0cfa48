import { useEffect, useRef } from 'react';
import { LogInBox } from './log-in.tsx';

/** Shown when the credential ends while the user works; the work stays visible behind the dialog. */
export function LoggedOutDialog({ notice, email }: { notice: string | null; email: string }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className="app-dialog"
      aria-labelledby="logged-out"
      onCancel={(event) => {
        event.preventDefault();
      }}
    >
      <h2 id="logged-out">Log in again</h2>
      <LogInBox notice={notice} email={email} />
    </dialog>
  );
}
