import { useMessages } from '../messages/messages.ts';
import { SetPassword } from './set-password.tsx';

const claimDocument = `mutation ClaimInvitation($secret: String!, $password: String!) {
  claim: claimInvitation(secret: $secret, password: $password) { email }
}`;

/** Sets the first password of a person who was invited. */
export default function InvitationPage() {
  const { invitation } = useMessages();
  return <SetPassword document={claimDocument} texts={invitation} next={['/', invitation.toLogIn]} />;
}
