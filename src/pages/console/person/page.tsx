import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';

export default function PersonPage() {
  const { person: texts } = useMessages();
  return <Page title={texts.title} />;
}
