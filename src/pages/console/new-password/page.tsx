import { SetForgottenPasswordDocument } from '../../../generated/pages/console/new-password.ts';
import { useMessages } from '../messages/messages.ts';
import { SetPassword } from '../invitation/set-password.tsx';

/** Sets a new password with the link of a mail. */
export default function NewPasswordPage() {
  const { newPassword } = useMessages();
  return (
    <SetPassword document={SetForgottenPasswordDocument} texts={newPassword} next={['/forgotten', newPassword.again]} />
  );
}
