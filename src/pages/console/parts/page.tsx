import { useMessages } from '../messages/messages.ts';
import { Page } from './frame.tsx';

export default function PartsPage() {
  const { parts: texts } = useMessages();
  return <Page title={texts.title} />;
}
