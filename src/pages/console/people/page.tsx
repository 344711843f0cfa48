import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';

export default function PeoplePage() {
  const { people: texts } = useMessages();
  return <Page title={texts.title} />;
}
