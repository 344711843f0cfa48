import { useState } from 'react';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmDanger, Dialog, returnFocus } from '../parts/dialog.tsx';
import { Menu } from '../parts/menu.tsx';
import { showToast } from '../parts/toast.tsx';
import { ClashDialog, type Question } from './clash-dialog.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import type { Event, EventStatus } from './documents.ts';
import { changeEvent } from './save.ts';

/** What can be done with an event as a whole: publish, copy, cancel, delete, and bring back. */
export function EventActions({ event, isCopying }: { event: Event; isCopying: boolean }) {
  const { event: texts, shell } = useMessages();
  const { actions } = texts;
  const [open, setOpen] = useState<'copy' | 'cancel' | 'delete' | null>(isCopying ? 'copy' : null);
  const [question, setQuestion] = useState<(Question & { readonly status: EventStatus }) | null>(null);
  const [isPending, setIsPending] = useState(false);
  const { title, uuid } = event;
  const said: Readonly<Record<EventStatus, string>> = {
    ACTIVE: event.status === 'DRAFT' ? actions.published(title) : actions.restored(title),
    DRAFT: actions.restored(title),
    CANCELED: actions.canceled(title),
    DELETED: actions.deleted(title),
  };

  async function setStatus(status: EventStatus, reason: string | null) {
    setIsPending(true);
    try {
      const override = reason === null ? {} : { override: { reason } };
      const outcome = await changeEvent(uuid, event.version, { status, ...override });
      if (outcome.refusal?.code === 'CLASH')
        return setQuestion({ status, moved: null, mayKeep: false, clashes: outcome.clashes, refusal: null });
      setOpen(null);
      setQuestion(null);
      const { version } = outcome;
      if (version === null) return showToast({ text: outcome.refusal?.message ?? shell.notSaved });
      showToast({ text: said[status], undo: () => void takeBack(version) });
      // The button of this action is gone now.
      if (document.activeElement === document.body) returnFocus(null);
    } catch {
      showToast({ text: shell.notSaved });
    } finally {
      setIsPending(false);
    }
  }

  /** It was so before, so a rule that stood against it then does not now. */
  async function takeBack(version: number) {
    const input = { status: event.status, override: { reason: actions.undoReason } };
    const outcome = await changeEvent(uuid, version, input).catch(() => null);
    showToast({ text: outcome?.version ? actions.undone : (outcome?.refusal?.message ?? shell.notSaved) });
  }

  const isOver = event.status === 'CANCELED' || event.status === 'DELETED';
  const items = [
    { label: actions.copy, onSelect: () => setOpen('copy') },
    ...(isOver ? [] : [{ label: actions.cancel, onSelect: () => setOpen('cancel') }]),
    ...(event.status === 'DELETED'
      ? []
      : [{ label: actions.delete, isDanger: true, onSelect: () => setOpen('delete') }]),
  ];
  const close = () => setOpen(null);
  return (
    <>
      {event.status === 'DRAFT' && (
        <Button look="primary" isBusy={isPending} onClick={() => void setStatus('ACTIVE', null)}>
          {actions.publish}
        </Button>
      )}
      {isOver && (
        <Button look="primary" isBusy={isPending} onClick={() => void setStatus('ACTIVE', null)}>
          {actions.restore}
        </Button>
      )}
      <Menu label={actions.menu} items={items} />
      {open === 'copy' && <CopyDialog event={event} onClose={close} />}
      {open === 'cancel' && (
        <Dialog
          title={texts.cancel.title(title)}
          onClose={close}
          actions={
            <Button look="danger" isBusy={isPending} onClick={() => void setStatus('CANCELED', null)}>
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
          isBusy={isPending}
          onConfirm={() => void setStatus('DELETED', null)}
          onClose={close}
        >
          <p>{texts.delete.lead}</p>
        </ConfirmDanger>
      )}
      {question && (
        <ClashDialog
          question={question}
          isBusy={isPending}
          onDecide={({ reason }) => void setStatus(question.status, reason)}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  );
}
