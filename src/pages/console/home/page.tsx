import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';

export default function HomePage() {
  const { home: texts } = useMessages();
  return <Page title={texts.title} />;
}
