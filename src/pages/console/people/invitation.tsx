import { InviteDocument, type InviteMutation } from '../../../generated/pages/console/people.ts';
import { useEffect, useRef, useState } from 'react';
import { formatMoment } from '../../time/zones.ts';
import { useViewer, useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { SecretDialog } from '../parts/secret.tsx';

interface InvitationDialogProps {
  readonly person: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** Makes the link with which a person sets the first password, and shows it once. */
export function InvitationDialog({ person: { id, name }, onClose }: InvitationDialogProps) {
  const { people, parts } = useMessages();
  const { invitation: texts } = people;
  const { timezone } = useViewer().business;
  const { write, fault } = useWrite(InviteDocument);
  const [invitation, setInvitation] = useState<InviteMutation['inviteUser'] | null>(null);
  const invite = () => void write({ id }).then(({ data }) => data && setInvitation(data.inviteUser));
  // Rendering twice makes no second link, which would void the first.
  const hasAsked = useRef(false);
  useEffect(() => {
    if (!hasAsked.current) invite();
    hasAsked.current = true;
  });
  return (
    <SecretDialog title={texts.title(name)} secret={invitation && location.origin + invitation.path} onClose={onClose}>
      {fault && (
        <Notice look="bad" action={<Button onClick={invite}>{parts.retry}</Button>}>
          {texts.failed(fault.message)}
        </Notice>
      )}
      {invitation && (
        <Notice look="warning">
          {texts.lead(name)} {texts.ends(formatMoment(Date.parse(invitation.expiresAt), timezone))}{' '}
          {invitation.isMailed && texts.mailed}
        </Notice>
      )}
    </SecretDialog>
  );
}
