import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';

export default function InvitationPage() {
  const { invitation: texts } = useMessages();
  return <Page title={texts.title} />;
}
