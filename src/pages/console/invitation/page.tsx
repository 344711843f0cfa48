import { ClaimInvitationDocument } from '../../../generated/pages/console/invitation.ts';
import { useMessages } from '../messages/messages.ts';
import { SetPassword } from './set-password.tsx';

/** Sets the first password of a person who was invited. */
export default function InvitationPage() {
  const { invitation } = useMessages();
  return <SetPassword document={ClaimInvitationDocument} texts={invitation} next={['/', invitation.toLogIn]} />;
}
