import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';

export default function EventPage() {
  const { event: texts } = useMessages();
  return <Page title={texts.title} />;
}
