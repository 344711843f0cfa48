import { useEffect } from 'react';
import { refreshReads } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Screens } from '../settings/screens.tsx';
import type { Address } from './address.ts';
import type { BoardEvent } from './model.ts';
import '../parts/parts.css';

const refreshMs = 3_000;

interface ScreensProps {
  readonly events: readonly BoardEvent[];
  readonly address: Address;
  readonly onClose: () => void;
}

/** The screens of the business. A new one shows at first what the board shows. */
export default function ScreensDialog({ events, address, onClose }: ScreensProps) {
  const { board: texts } = useMessages();
  const { client, city, position, text } = address;
  // A screen is on a few seconds after its approval.
  useEffect(() => {
    const timer = setInterval(() => void refreshReads(), refreshMs);
    return () => clearInterval(timer);
  }, []);
  const known = events.find((event) => event.client?.name === client)?.client;
  const chosen = known ? { value: known.id, label: known.name } : null;
  return (
    <Dialog title={texts.screens} isWide onClose={onClose}>
      <Screens shown={{ client: chosen, position, city: city ?? '', text }} />
    </Dialog>
  );
}
