import { useEffect, useRef, useState } from 'react';
import { formatMoment } from '../../board/zones.ts';
import { useViewer, useWrite } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';

const mutation = 'mutation Invite($id: ID!) { inviteUser(id: $id) { path expiresAt } }';

interface Answer {
  readonly inviteUser: { readonly path: string; readonly expiresAt: string };
}

interface InvitationDialogProps {
  readonly person: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** Makes the link with which a person sets the first password, and shows it once. */
export function InvitationDialog({ person: { id, name }, onClose }: InvitationDialogProps) {
  const { people: texts, parts } = useMessages();
  const { timezone } = useViewer().business;
  const { write, fault } = useWrite<Answer>(mutation);
  const [invitation, setInvitation] = useState<Answer['inviteUser'] | null>(null);
  const [said, setSaid] = useState('');
  const invite = async () => {
    const { data } = await write({ id });
    if (data) setInvitation(data.inviteUser);
  };
  // Rendering twice makes no second link, which would void the first.
  const hasAsked = useRef(false);
  useEffect(() => {
    if (!hasAsked.current) void invite();
    hasAsked.current = true;
  });
  const link = invitation && location.origin + invitation.path;
  const copy = () =>
    navigator.clipboard.writeText(link ?? '').then(
      () => setSaid(texts.invitation.copied),
      () => setSaid(texts.invitation.notCopied),
    );
  return (
    <Dialog
      title={texts.invitation.title(name)}
      onClose={onClose}
      actions={
        link && (
          <Button look="primary" onClick={() => void copy()}>
            {texts.invitation.copy}
          </Button>
        )
      }
    >
      {fault && (
        <Notice look="bad" action={<Button onClick={() => void invite()}>{parts.retry}</Button>}>
          {texts.invitation.failed(fault.message)}
        </Notice>
      )}
      {invitation && link && (
        <div className="cs-form">
          <p>{texts.invitation.lead(name)}</p>
          <TextField
            label={texts.invitation.link}
            hint={texts.invitation.ends(formatMoment(Date.parse(invitation.expiresAt), timezone))}
            value={link}
            onChange={() => undefined}
          />
        </div>
      )}
      <p role="status">{said}</p>
    </Dialog>
  );
}
