import { useMessages } from '../messages/messages.ts';
import { SetPassword } from '../invitation/set-password.tsx';

const setDocument = `mutation SetForgottenPassword($secret: String!, $password: String!) {
  claim: setForgottenPassword(secret: $secret, password: $password) { email }
}`;

/** Sets a new password with the link of a mail. */
export default function NewPasswordPage() {
  const { newPassword } = useMessages();
  return <SetPassword document={setDocument} texts={newPassword} next={['/forgotten', newPassword.again]} />;
}
