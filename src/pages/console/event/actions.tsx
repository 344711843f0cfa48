import { ChangeEventDocument, type EventStatus } from '../../../generated/pages/console/event.ts';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { offerUndo } from '../parts/offer-undo.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, returnFocus } from '../parts/dialog.tsx';
import { ConfirmDanger } from '../parts/form-dialog.tsx';
import { Menu } from '../parts/menu.tsx';
import { lazily } from '../../application/lazily.tsx';
import { showToast } from '../parts/toast.tsx';
import { ClashDialog } from './clash-dialog.tsx';
import { type Event } from '../model/events.ts';

const CopyDialog = lazily(async () => (await import('./copy-dialog.tsx')).CopyDialog, 'over');

/** What can be done with an event as a whole: publish, copy, cancel, delete, and bring back. */
export function EventActions({ event, isCopying }: { event: Event; isCopying: boolean }) {
  const { event: texts, staffing, callSheet, parts } = useMessages();
  const [, navigate] = useLocation();
  const { actions } = texts;
  const [open, setOpen] = useState<'copy' | 'cancel' | 'delete' | null>(isCopying ? 'copy' : null);
  const [wanted, setWanted] = useState<EventStatus>('ACTIVE');
  const change = useWrite(ChangeEventDocument);
  const { title, uuid: id, version, status: before } = event;
  const said: Readonly<Record<EventStatus, string>> = {
    ACTIVE: before === 'DRAFT' ? actions.published(title) : actions.restored(title),
    DRAFT: actions.restored(title),
    CANCELED: actions.canceled(title),
    DELETED: actions.deleted(title),
  };

  async function setStatus(status: EventStatus, reason: string | null = null) {
    setWanted(status);
    const { data, fault } = await change.write({
      id,
      version,
      input: { status, ...(reason && { override: { reason } }) },
    });
    if (fault) return fault.code !== 'CLASH' && showToast({ text: fault.message });
    setOpen(null);
    // It was so before, so a rule that stood against it then does not now.
    const input = { status: before, override: { reason: actions.undoReason } };
    const isOver = status === 'CANCELED' || status === 'DELETED';
    offerUndo(
      said[status],
      () => change.write({ id, version: data.change.event.version, input }),
      parts,
      isOver ? [staffing.notBack.ended] : [],
    );
    // The button of this action is gone now.
    if (document.activeElement === document.body) returnFocus(null);
  }

  const isOver = before === 'CANCELED' || before === 'DELETED';
  const items = [
    { label: actions.copy, onSelect: () => setOpen('copy') },
    { label: callSheet.title, onSelect: () => navigate(`/call-sheet?event=${id}`) },
    {
      label: actions.calendar,
      onSelect: () => navigate(`/settings/feeds?${new URLSearchParams({ event: id, name: title })}`),
    },
    ...(isOver ? [] : [{ label: actions.cancel, onSelect: () => setOpen('cancel') }]),
    ...(before === 'DELETED' ? [] : [{ label: actions.delete, isDanger: true, onSelect: () => setOpen('delete') }]),
  ];
  const close = () => setOpen(null);
  return (
    <>
      {(before === 'DRAFT' || isOver) && (
        <Button look="primary" isBusy={change.isPending} onClick={() => void setStatus('ACTIVE')}>
          {isOver ? actions.restore : actions.publish}
        </Button>
      )}
      <Menu label={actions.menu} items={items} />
      {open === 'copy' && (
        <Suspense>
          <CopyDialog event={event} onClose={close} />
        </Suspense>
      )}
      {open === 'cancel' && (
        <Dialog
          title={texts.cancel.title(title)}
          onClose={close}
          actions={
            <Button look="danger" isBusy={change.isPending} onClick={() => void setStatus('CANCELED')}>
              {texts.cancel.confirm}
            </Button>
          }
        >
          <p>{texts.cancel.lead(event.workShifts.length)}</p>
        </Dialog>
      )}
      {open === 'delete' && (
        <ConfirmDanger
          title={texts.delete.title(title)}
          name={title}
          action={texts.delete.confirm}
          isBusy={change.isPending}
          onConfirm={() => void setStatus('DELETED')}
          onClose={close}
        >
          <p>{texts.delete.lead}</p>
        </ConfirmDanger>
      )}
      <ClashDialog write={change} onDecide={({ reason }) => void setStatus(wanted, reason)} />
    </>
  );
}
