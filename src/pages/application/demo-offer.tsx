import { useSyncExternalStore } from 'react';
import { useMessages } from '../console/messages/messages.ts';
import { Modal } from './modal.tsx';
import { acceptDemo, declineDemo, readSession, watchSession } from './session.ts';

/** Asks whether to follow a link to a demo account while somebody else is logged in. */
export function DemoOffer() {
  const { session: texts } = useMessages();
  const { offeredDemo, viewer } = useSyncExternalStore(watchSession, readSession);
  if (offeredDemo === null) return null;
  return (
    <Modal key={offeredDemo} title={texts.offer} onClose={declineDemo}>
      <p>{texts.offerLead(offeredDemo, viewer?.name ?? '')}</p>
      <div className="cb-buttons">
        <button type="button" className="cb-button cb-primary" onClick={declineDemo}>
          {texts.stay}
        </button>
        <button type="button" className="cb-button" onClick={() => void acceptDemo()}>
          {texts.logInAs(offeredDemo)}
        </button>
      </div>
    </Modal>
  );
}
