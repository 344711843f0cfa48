import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';

export default function EventsPage() {
  const { events: texts } = useMessages();
  return <Page title={texts.title} />;
}
