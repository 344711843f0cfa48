import { lazy, Suspense, useEffect, useState } from 'react';
import { loadAllMessages, useMessages } from '../console/messages/messages.ts';
import { Button } from '../console/parts/button.tsx';
import { Dialog } from '../console/parts/dialog.tsx';
import type { Address } from './address.ts';
import type { BoardEvent } from './model.ts';

const Screens = lazy(async () => {
  await loadAllMessages();
  return { default: (await import('../console/settings/screens.tsx')).Screens };
});

const refreshMs = 3_000;

interface ScreensProps {
  readonly events: readonly BoardEvent[];
  readonly address: Address;
}

/** The screens of the business. A new one shows at first what the board shows. */
export function ScreensButton({ events, address: { client, city, position, text } }: ScreensProps) {
  const { board: texts } = useMessages();
  const [isOpen, setIsOpen] = useState(false);
  // A screen is on a few seconds after its approval.
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(
      () => void import('../console/data.ts').then(({ refreshReads }) => refreshReads()),
      refreshMs,
    );
    return () => clearInterval(timer);
  }, [isOpen]);
  const known = events.find((event) => event.client?.name === client)?.client;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {texts.screens}
      </Button>
      {isOpen && (
        <Dialog title={texts.screens} isWide onClose={() => setIsOpen(false)}>
          <Suspense>
            <Screens
              shown={{
                client: known ? { value: known.id, label: known.name } : null,
                position,
                city: city ?? '',
                text,
              }}
            />
          </Suspense>
        </Dialog>
      )}
    </>
  );
}
