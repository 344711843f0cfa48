import type { TypedDocument } from '../../application/document.ts';
import type { Variables } from '../../application/service.ts';
import { useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { ConfirmDanger } from './form-dialog.tsx';
import { Notice } from './notice.tsx';
import { showToast } from './toast.tsx';

interface RemoveProps {
  readonly name: string;
  readonly mutation: TypedDocument<unknown, Variables>;
  readonly variables: Variables;
  /** What goes with it. */
  readonly lead: string;
  /** Texts of something that is revoked, not deleted. */
  readonly isRevoked?: boolean;
  readonly onClose: () => void;
}

/** Asks by name before something is deleted or revoked, and says why if it may not be. */
export function RemoveDialog({ name, mutation, variables, lead, isRevoked = false, onClose }: RemoveProps) {
  const { settings } = useMessages();
  const { write, isPending, fault } = useWrite(mutation);
  const remove = async () => {
    if ((await write(variables)).fault) return;
    onClose();
    showToast({ text: isRevoked ? settings.revokedOf(name) : settings.deletedOf(name) });
  };
  return (
    <ConfirmDanger
      title={isRevoked ? settings.askRevoke(name) : settings.askDelete(name)}
      name={name}
      action={isRevoked ? settings.revoke : settings.remove}
      isBusy={isPending}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{lead}</p>
      {fault && <Notice look="bad">{fault.message}</Notice>}
    </ConfirmDanger>
  );
}
