import { useEffect, useRef, useSyncExternalStore } from 'react';
import { acceptDemo, declineDemo, readSession, watchSession } from './session.ts';

/** Asks whether to follow a link to a demo account while somebody else is logged in. */
export function DemoOffer() {
  const { offeredDemo, viewer } = useSyncExternalStore(watchSession, readSession);
  return offeredDemo !== null && <Offer key={offeredDemo} email={offeredDemo} name={viewer?.name ?? ''} />;
}

function Offer({ email, name }: { email: string; name: string }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} className="app-dialog cb-page" aria-labelledby="demo-offer" onCancel={declineDemo}>
      <h2 id="demo-offer">Change to the demo account?</h2>
      <p>
        The link opens this page as {email}. You are logged in as {name}.
      </p>
      <div className="cb-buttons">
        <button type="button" className="cb-button cb-primary" onClick={declineDemo}>
          Stay logged in
        </button>
        <button type="button" className="cb-button" onClick={() => void acceptDemo()}>
          Log in as {email}
        </button>
      </div>
    </dialog>
  );
}
